// SPDX-License-Identifier: Apache-2.0
// One link: how it comes to be, what it restores, and what is known of its server.
#include <semaphore>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C009: a sidecar that accepts while the server is down delays the first connect, no more",
          "[client][row43]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(1);  // nobody listens there: accepted, then closed
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.retry_on_initial_connect = true;
    event_log events;
    options.on_event = events.handler();
    const auto executor = co_await asio::this_coro::executor;
    std::optional<connection> made;
    asio::co_spawn(executor, connect(options), [&](std::exception_ptr e, connection nc) {
      if (!e) made = nc;
    });
    co_await until([&] { return events.count(event_kind::connect_failed) >= 5; });
    CHECK_FALSE(made);
    for (const auto& e : events.of(event_kind::connect_failed)) CHECK(e.error);
    proxy.set_upstream(server.port());
    co_await until([&] { return made.has_value(); });
    co_await made->flush(10s);
  });
}

TEST_CASE("the server tells who it is and who we are; no-echo and a name are honoured",
          "[client][row50][row51][row52][row53][row56]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.name = "orders-7";
    options.echo = false;
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("own");
    co_await nc.publish("own", "x");
    const auto time = co_await nc.rtt(10s);
    CHECK(time.count() > 0);
    CHECK_FALSE(sub.try_next());
    CHECK(nc.info().server_name == "test");
    CHECK_FALSE(nc.info().server_id.empty());
    CHECK(nc.info().client_id > 0);
    CHECK(nc.info().client_ip == "127.0.0.1");
    CHECK(nc.info().version_at_least(2, 9));
    CHECK_FALSE(nc.info().version_at_least(99));
    CHECK(server.monitor("/connz").find("\"name\": \"orders-7\"") != std::string::npos);
  });
}

TEST_CASE("publishing fails fast while disconnected when nothing may be buffered", "[client][row58]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect_buffer = 0;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    for (int i = 0; i < 3; ++i) {
      const auto code = co_await code_of(nc.publish("x", "y"));
      CHECK(code == errc::connection_lost);
    }
    proxy.accept();
    co_await nc.flush(10s);
    co_await nc.publish("x", "y");
  });
}

TEST_CASE("C021: a subscription denied while the link was down ends with the reason, the others go on",
          "[client][row55]") {
  const auto config = [](const std::string& denied) {
    return "authorization { users: [ { user: u, password: p, permissions: { subscribe: { deny: [" + denied +
           "] } } } ] }";
  };
  nats_server_options restricted;
  restricted.jetstream = false;
  restricted.extra_config = config("\"nothing\"");
  nats_server server(restricted);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.user = "u";
    options.password = "p";
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    std::vector<subscription> subs;
    for (int i = 0; i < 20; ++i) subs.push_back(nc.subscribe("s." + std::to_string(i)));
    co_await nc.flush(10s);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    server.reload(config("\"s.7\""));
    co_await until([&] { return server.log().find("Reloaded server configuration") != std::string::npos; });
    subs.push_back(nc.subscribe("s.new"));
    proxy.accept();
    co_await until([&] { return events.has(event_kind::permission_denied); });
    co_await nc.flush(10s);
    for (std::size_t i = 0; i < subs.size(); ++i) {
      const std::string subject(subs[i].subject());
      if (i == 7) {
        const auto code = co_await code_of(subs[i].next(10s));
        CHECK(code == errc::permission_violation);
        continue;
      }
      co_await nc.publish(subject, subject);
      const auto m = co_await subs[i].next(10s);
      CHECK(m.payload() == subject);
    }
  });
}

namespace {

// What a peer says and hears until the client has a link.
void welcome(peer_connection& c) {
  c.send("INFO {\"server_id\":\"s\",\"version\":\"2.12.0\",\"headers\":true,\"max_payload\":1048576}\r\n");
  c.expect_line_starting("CONNECT ");
  for (int i = 0; i < 2; ++i) {  // the login, and the subscriptions, of which there are none
    c.expect("PING\r\n");
    c.send("PONG\r\n");
  }
}

}  // namespace

TEST_CASE("C003 a message whose announced end never comes does not pass for life", "[client][row48]") {
  byte_peer peer([](peer_connection& c) {
    welcome(c);
    c.send("MSG a 1 100000000\r\n12345");
    try {
      for (;;) {
        c.expect("PING\r\n");
        c.send("PONG\r\n");
      }
    } catch (const std::runtime_error&) {  // the client has had enough
    }
  });
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.ping_interval = 20ms;
    options.reconnect.enabled = false;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await until([&] { return events.has(event_kind::closed); });
    CHECK(events.last(event_kind::disconnected).error == errc::stale_connection);
  });
}

TEST_CASE("pings that outrun the peer's own reading are not all answered", "[client]") {
  constexpr std::size_t pings = 200'000;
  std::binary_semaphore full(0);
  byte_peer peer([&](peer_connection& c) {
    welcome(c);
    c.expect_line_starting("SUB told");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    full.acquire();
    std::string flood;
    for (std::size_t i = 0; i < pings; ++i) flood += "PING\r\n";
    c.send(flood + "MSG told 1 0\r\n\r\n");
    c.hold();
  });
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(peer.url());
    connection nc = co_await connect(options);
    auto told = nc.subscribe("told");
    co_await nc.flush();
    const std::string body(100'000, 'b');
    while (nc.stats().outbox_bytes < body.size()) {
      REQUIRE_FALSE(nc.try_publish("flood", body));
      co_await asio::post(nc.get_executor(), asio::use_awaitable);
    }
    const auto before = nc.stats().outbox_bytes;
    full.release();
    co_await told.next(10s);
    CHECK(nc.stats().outbox_bytes < before + pings);  // a PONG has six bytes
  });
}

TEST_CASE("C040 a slow peer is seen to make progress after every piece it reads", "[client]") {
  constexpr std::size_t piece = 768 * 1024;  // enough for a full receive buffer to open its window again
  std::counting_semaphore<> turn(0);
  byte_peer peer([&](peer_connection& c) {
    welcome(c);
    for (int i = 0; i < 4; ++i) {
      turn.acquire();
      c.read(piece);
    }
    c.hold();
  });
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.outbox_limit = 64 * 1024 * 1024;
    connection nc = co_await connect(options);
    const std::string body(100'000, 'b');
    for (int i = 0; i < 200; ++i) REQUIRE_FALSE(nc.try_publish("flood", body));
    std::size_t waiting = 0;
    const auto settled = [&] { return std::exchange(waiting, nc.stats().outbox_bytes) == nc.stats().outbox_bytes; };
    for (int i = 0; i < 4; ++i) {
      co_await until(settled);
      turn.release();
      const bool progress = co_await eventually([&] { return nc.stats().outbox_bytes < waiting; }, 5s);
      CHECK(progress);
    }
  });
}
