// SPDX-License-Identifier: Apache-2.0
// A connection torn down, cut off, cancelled or destroyed after every single step of what it can be doing.
#include "every_step.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "support/tunnel_proxy.hpp"
#include "transport_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

nats_server_options quick() {
  nats_server_options o;
  o.jetstream = false;
  return o;
}

// A few turns of the executor, for handlers and callbacks that wait.
asio::awaitable<void> turns(int count) {
  for (; count > 0; --count) co_await asio::post(asio::use_awaitable);
}

// A coroutine handler that waits for turns and for time, and answers who asks.
coroutine_handler slow_handler(play& p) {
  return [&p, record = p.record](message m) -> asio::awaitable<void> {
    const auto alive = record;
    co_await turns(2);
    asio::steady_timer timer(co_await asio::this_coro::executor, std::chrono::microseconds(100));
    co_await timer.async_wait(asio::use_awaitable);
    if (!m.reply().empty() && !p.dropped) p.nc.try_publish(m.reply(), m.payload());
  };
}

// Takes what comes until the subscription has ended.
asio::awaitable<void> take_all(play& p, std::size_t index) {
  while (!p.dropped) co_await p.subscriptions[index].next_batch(10s, 2);
}

bool subscribe(play& p, std::string_view subject, const subscribe_options& options = {}) {
  p.subscriptions.push_back(p.nc.subscribe(subject, options));
  return true;
}
template <class Handler>
bool handle(play& p, std::string_view subject, Handler handler, const subscribe_options& options = {}) {
  p.subscriptions.push_back(p.nc.subscribe(subject, std::move(handler), options));
  return true;
}
bool publish(play& p, std::string_view subject, int count) {
  for (; count > 0; --count) p.nc.try_publish(subject, "payload");
  return true;
}
// What somebody may be waiting for during all of the rest.
bool watch(play& p) {
  p.start_endless(p.nc.closed());
  auto events = p.nc.events();
  p.start_endless(events.next(1h));
  return true;
}

// The moves of whoever only connects and asks whether it is true.
std::vector<std::function<bool(play&)>> connect_and_flush() {
  return {[](play& p) { return p.connect(); }, [](play& p) { return p.connected() && p.start(p.nc.flush(5s)); }};
}
const std::function<bool(play&)> start_to_connect = [](play& p) { return p.connect(); };

// A link whose writes stay behind: nothing of what is published goes out.
bool fill_outbox(play& p, fault_proxy& proxy) {
  proxy.pause(direction::to_server);
  static const std::string body(32 * 1024, 'b');  // outlives the publish
  while (!p.nc.try_publish("flood", body)) {
  }
  return p.start(p.nc.publish("flood", body));
}

}  // namespace

TEST_CASE("C076 a connection may end at every step of connecting, over every transport", "[client][steps]") {
  const auto w = GENERATE(way::tcp, way::tls, way::ws, way::wss);
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] { return server.options(proxy.port()); };
  s.moves = connect_and_flush();
  s.reset = [&] { proxy.reset(); };
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of connecting with TLS first", "[client][steps]") {
  tls_files files;
  nats_server server(files.server("handshake_first: true"));
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] {
    auto options = tls_options_for(proxy.port(), files);
    options.tls.mode = tls_mode::handshake_first;
    return options;
  };
  s.moves = connect_and_flush();
  s.reset = [&] { proxy.reset(); };
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of connecting through a proxy", "[client][steps]") {
  nats_server server(quick());
  fault_proxy faults(server.port());
  tunnel_proxy_options wish;
  wish.kind = GENERATE(tunnel_kind::http, tunnel_kind::socks5);
  wish.user = "ann";
  wish.password = "secret";
  wish.upstream = faults.port();
  tunnel_proxy proxy(wish);
  scenario s;
  s.options = [&] {
    auto options = options_for("nats://nats.test:4222");
    options.proxy.url = proxy.url();
    options.proxy.user = "ann";
    options.proxy.password = "secret";
    return options;
  };
  s.moves = connect_and_flush();
  s.reset = [&] { faults.reset(); };
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of looking for a server that is not there", "[client][steps]") {
  const auto port = free_port();
  scenario s;
  s.options = [&] {
    auto options = options_for("nats://127.0.0.1:" + std::to_string(port));
    options.retry_on_initial_connect = true;
    options.reconnect.initial_delay = 1ms;
    options.reconnect.max_delay = 1ms;
    options.reconnect.jitter = 0ms;
    return options;
  };
  s.moves = {start_to_connect};
  s.connects = false;
  s.most_steps = 40;
  for (const auto what : {strike::destroy_context, strike::destroy_handles_only, strike::cancel})
    strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of draining with messages in flight", "[client][steps]") {
  nats_server server(quick());
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] { return options_for(proxy.url()); };
  s.moves = {start_to_connect, [](play& p) {
               if (!p.connected()) return false;
               subscribe_options two;
               two.max_concurrency = 2;
               handle(p, "work", slow_handler(p), two);
               handle(p, "plain", p.handler());
               subscribe(p, "taken");
               publish(p, "work", 5);
               publish(p, "plain", 3);
               publish(p, "taken", 3);
               watch(p);
               p.start(take_all(p, 2));
               p.start(p.nc.request("work", "r"));
               return p.start(p.nc.drain(10s));
             }};
  s.reset = [&] { proxy.reset(); };
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of draining one subscription", "[client][steps]") {
  nats_server server(quick());
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] { return options_for(proxy.url()); };
  s.moves = {start_to_connect, [](play& p) {
               if (!p.connected()) return false;
               handle(p, "work", slow_handler(p));
               subscribe(p, "taken");
               publish(p, "work", 3);
               publish(p, "taken", 3);
               watch(p);
               p.start(take_all(p, 1));
               p.start(p.subscriptions[0].drain(10s));
               return p.start(p.subscriptions[1].drain(10s));
             }};
  s.reset = [&] { proxy.reset(); };
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of reconnecting with everything waiting", "[client][steps]") {
  nats_server server(quick());
  fault_proxy proxy(server.port());
  scenario s;
  s.stride = 3;  // a sample: each run fills the buffers of the kernel
  s.options = [&] {
    auto options = options_for(proxy.url());
    options.dial.send_buffer = 16 * 1024;
    return options;
  };
  s.calm = [&] { proxy.resume(direction::to_server); };
  s.reset = [&] { proxy.reset(); };
  s.moves = {start_to_connect,
             [](play& p) {
               if (!p.connected()) return false;
               subscribe(p, "quiet");
               handle(p, "silent", p.handler());
               watch(p);
               p.start_endless(p.subscriptions[0].next(1h));
               request_options patient;
               patient.timeout = 1h;
               patient.on_disconnect = request_loss::wait;
               p.start_endless(p.nc.request("silent", "r", patient));
               patient.on_disconnect = request_loss::fail;
               p.start(p.nc.request("silent", "r", patient));
               return p.start(p.nc.flush(5s));
             },
             [&](play& p) { return p.last_ended() && fill_outbox(p, proxy) && p.start(turns(3)); },
             [&](play& p) {
               if (!p.last_ended()) return false;
               proxy.reset();
               s.calm();
               return true;
             },
             [](play& p) { return p.record->reconnected != 0 && p.start(p.nc.flush(5s)); }};
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of reconnecting with credentials that are asked for",
          "[client][steps]") {
  auto locked = quick();
  locked.user = "ann";
  locked.password = "secret";
  nats_server server(locked);
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] {
    auto options = options_for(proxy.url());
    options.async_auth_callback = [](login_request) -> asio::awaitable<credentials> {
      co_await turns(3);
      user_password answer;
      answer.user = "ann";
      answer.password = "secret";
      co_return answer;
    };
    return options;
  };
  s.reset = [&] { proxy.reset(); };
  s.moves = {start_to_connect,
             [&](play& p) {
               if (!p.connected()) return false;
               subscribe(p, "kept");
               proxy.reset();
               return true;
             },
             [](play& p) { return p.record->reconnected != 0 && p.start(p.nc.flush(5s)); }};
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of leaving a lame duck", "[client][steps]") {
  nats_server server(quick());
  // One server plays both: through one proxy it announces its end after every PONG.
  fault_proxy lame(server.port());
  fault_proxy sound(server.port());
  lame.rewrite(direction::to_client, by_line([](std::string_view line) {
                 std::string words(line);
                 if (line == "PONG\r\n")
                   words += R"(INFO {"max_payload":1000,"headers":true,"proto":1,"ldm":true})"
                            "\r\n";
                 return words;
               }));
  scenario s;
  s.options = [&] {
    auto options = options_for(lame.url());
    options.servers.push_back(sound.url());
    options.reconnect.jitter = 1ms;
    return options;
  };
  s.reset = [&] {
    lame.reset();
    sound.reset();
  };
  s.moves = {start_to_connect,
             [](play& p) {
               if (!p.connected()) return false;
               handle(p, "kept", p.handler());
               watch(p);
               request_options patient;
               patient.timeout = 1h;
               p.start_endless(p.nc.request("kept", "r", patient));
               publish(p, "kept", 3);
               return p.start(p.nc.flush(5s));
             },
             [](play& p) { return p.record->reconnected != 0 && p.start(p.nc.flush(5s)); }};
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of requests and a barrier", "[client][steps]") {
  nats_server server(quick());
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] { return options_for(proxy.url()); };
  s.reset = [&] { proxy.reset(); };
  s.moves = {start_to_connect,
             [](play& p) {
               if (!p.connected()) return false;
               subscribe_options three;
               three.max_concurrency = 3;
               handle(p, "slow", slow_handler(p), three);
               handle(p, "many", p.handler([&p](const message_view& m) {
                 if (p.dropped) return;  // the end of the last handle is noticed a turn later
                 for (const auto* part : {"1", "2", "3", ""}) p.nc.try_publish(m.reply, part);
               }));
               watch(p);
               request_many_options many;
               many.max_replies = 3;
               p.start(p.nc.request_many("many", "shared", many));
               many.own_inbox = true;
               p.start(p.nc.request_many("many", "own", many));
               many.max_replies = 0;
               many.sentinel = ends_with_empty;
               p.start(p.nc.request_many("many", "until empty", many));
               p.start(p.nc.request("slow", "one"));
               p.start(code_of(p.nc.request("nobody", "one")));
               publish(p, "slow", 5);
               return p.start(p.nc.flush(5s));
             },
             [](play& p) { return p.last_ended() && p.start(p.nc.barrier(10s)); }};
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of a subscription that stops the reader", "[client][steps]") {
  nats_server server(quick());
  fault_proxy proxy(server.port());
  scenario s;
  s.options = [&] { return options_for(proxy.url()); };
  s.reset = [&] { proxy.reset(); };
  s.moves = {start_to_connect,
             [](play& p) {
               if (!p.connected()) return false;
               subscribe_options strict;
               strict.at_limit = limit_policy::stop_reading;
               strict.pending_messages_limit = 2;
               strict.max_messages = 12;
               subscribe(p, "full", strict);
               strict.max_concurrency = 2;
               handle(p, "worked", slow_handler(p), strict);
               watch(p);
               for (int i = 0; i != 6; ++i) {
                 publish(p, "full", 2);
                 publish(p, "worked", 2);
               }
               return p.start(turns(20));
             },
             [](play& p) { return p.last_ended() && p.start(take_all(p, 0)) && p.start(p.nc.flush(50ms)); }};
  // A flush behind a stopped reader runs into its time limit: short here.
  for (const auto what : every_strike) strike_at_every_step(s, what);
}

TEST_CASE("C076 a connection may end at every step of a publish that waits for room", "[client][steps]") {
  const auto w = GENERATE(way::tcp, way::wss);
  CAPTURE(w);
  reachable_server reached(w);
  fault_proxy proxy(reached.port());
  scenario s;
  s.stride = 2;  // a sample: each run fills the buffers of the kernel
  s.options = [&] {
    auto options = reached.options(proxy.port());
    options.dial.send_buffer = 16 * 1024;
    return options;
  };
  s.calm = [&] { proxy.resume(direction::to_server); };
  s.reset = [&] { proxy.reset(); };
  s.moves = {start_to_connect, [&](play& p) { return p.connected() && fill_outbox(p, proxy) && p.start(turns(3)); },
             [&](play& p) {
               if (!p.last_ended()) return false;
               s.calm();
               return p.start(p.nc.flush(5s));
             }};
  for (const auto what : every_strike) strike_at_every_step(s, what);
}
