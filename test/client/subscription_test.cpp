// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C026 received plus dropped equals sent, with one event per slow episode", "[client]") {
  nats_server server;
  const auto policy = limit_policy::drop_newest;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    subscribe_options limited;
    limited.pending_messages_limit = 100;
    limited.at_limit = policy;
    auto sub = nc.subscribe("burst", limited);
    std::uint64_t taken = 0;
    for (std::uint64_t episode = 1; episode <= 2; ++episode) {
      for (int i = 0; i < 10'000; ++i) co_await nc.publish("burst", std::to_string(i));
      co_await nc.flush(10s);
      const auto stats = sub.stats();
      CHECK(stats.received == episode * 10'000);
      CHECK(stats.pending_messages == 100);
      CHECK(stats.dropped + taken + stats.pending_messages == stats.received);
      co_await until([&] { return events.count(event_kind::slow_consumer) == episode; });
      CHECK(events.last(event_kind::slow_consumer).subject == "burst");
      while (auto m = sub.try_next()) ++taken;
    }
    CHECK(events.count(event_kind::slow_consumer) == 2);
    sub.unsubscribe();
    CHECK(sub.stats().dropped == 19'800);
    CHECK(nc.stats().dropped_messages == 19'800);
  });
}

TEST_CASE("drop_oldest keeps the latest messages", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options limited;
    limited.pending_messages_limit = 10;
    limited.at_limit = limit_policy::drop_oldest;
    auto sub = nc.subscribe("n", limited);
    for (int i = 0; i < 100; ++i) co_await nc.publish("n", std::to_string(i));
    co_await nc.flush(5s);
    for (int i = 90; i < 100; ++i) CHECK(sub.try_next()->payload() == std::to_string(i));
    CHECK_FALSE(sub.try_next());
    CHECK(sub.stats().dropped == 90);
  });
}

TEST_CASE("C028 a subscription nobody reads delays no other and no request", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto stuck = nc.subscribe("stuck");
    auto lively = nc.subscribe("lively");
    auto echo = nc.subscribe("echo", [&](const message_view& m) { nc.try_publish(m.reply, m.payload); });
    for (int i = 0; i < 1000; ++i) co_await nc.publish("stuck", std::string(1000, 'x'));
    co_await nc.publish("lively", "now");
    auto m = co_await lively.next(5s);
    CHECK(m.payload() == "now");
    m = co_await nc.request("echo", "here");
    CHECK(m.payload() == "here");
    co_await nc.flush(5s);
    CHECK(stuck.stats().pending_messages == 1000);
  });
}

TEST_CASE("C028 being cut off by the server as slow is reported and healed", "[client]") {
  nats_server_options impatient;
  impatient.extra_config = "max_pending: 1MB\nwrite_deadline: \"1s\"\n";
  impatient.max_payload = 500'000;
  nats_server server(impatient);
  fault_proxy proxy(server.port());
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(proxy.url());
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        auto sub = nc.subscribe("flood");
        co_await nc.flush(5s);
        connection source = co_await connect(server.url());
        proxy.pause(direction::to_client);
        const std::string body(400'000, 'x');
        while (!events.has(event_kind::disconnected)) {
          co_await source.publish("flood", body);
          co_await source.flush(20s);
          if (server.log().find("Slow Consumer") != std::string::npos) proxy.resume(direction::to_client);
        }
        co_await until([&] { return events.has(event_kind::reconnected); });
        co_await nc.flush(10s);
        co_await source.publish("flood", "again");
        for (;;) {
          const auto m = co_await sub.next(10s);
          if (m.payload() == "again") break;
        }
      },
      60s);
}

TEST_CASE("queue members share, each message is delivered once", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options member;
    member.queue = "workers";
    auto a = nc.subscribe("job", member);
    auto b = nc.subscribe("job", member);
    for (int i = 0; i < 1000; ++i) co_await nc.publish("job", "x");
    co_await nc.flush(5s);
    CHECK(a.stats().received + b.stats().received == 1000);
    CHECK(a.stats().received > 0);
    CHECK(b.stats().received > 0);
  });
}

TEST_CASE("a subscription ends after its maximum, counted from its start, also over a reconnect", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    subscribe_options five;
    five.max_messages = 5;
    auto sub = nc.subscribe("n", five);
    for (int i = 0; i < 3; ++i) co_await nc.publish("n", std::to_string(i));
    co_await nc.flush(5s);
    proxy.reset();
    co_await until([&] { return events.has(event_kind::reconnected); });
    for (int i = 3; i < 10; ++i) co_await nc.publish("n", std::to_string(i));
    for (int i = 0; i < 5; ++i) {
      const auto m = co_await sub.next(5s);
      CHECK(m.payload() == std::to_string(i));
    }
    const auto code = co_await code_of(sub.next(5s));
    CHECK(code == errc::subscription_closed);
    CHECK_FALSE(sub.active());
  });
}

TEST_CASE("C029 a refused subscription ends with the error; a refused request fails early", "[client]") {
  nats_server_options restricted;
  restricted.extra_config = R"(authorization { users: [ { user: u, password: p, permissions: {
    publish: { deny: ["no.pub"] }, subscribe: { deny: ["no.sub"] } } } ] })";
  nats_server server(restricted);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.user = "u";
    options.password = "p";
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto fine = nc.subscribe("yes");
    auto denied = nc.subscribe("no.sub");
    auto code = co_await code_of(denied.next(5s));
    CHECK(code == errc::permission_violation);
    CHECK(denied.last_error() == errc::permission_violation);
    co_await until([&] { return events.has(event_kind::permission_denied); });
    CHECK(events.last(event_kind::permission_denied).subject == "no.sub");
    const auto start = clock::now();
    code = co_await code_of(nc.request("no.pub", ""));
    CHECK(code == errc::permission_violation);
    CHECK(clock::now() - start < 4s);
    co_await nc.publish("yes", "still here");
    const auto m = co_await fine.next(5s);
    CHECK(m.payload() == "still here");
    CHECK(nc.stats().reconnects == 0);
  });
}

TEST_CASE("C030 draining finishes handlers with their replies before it closes", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    connection helper = co_await connect(server.url());
    auto echo = helper.subscribe("ask", [&](const message_view& m) { helper.try_publish(m.reply, m.payload); });
    auto done = helper.subscribe("done");
    co_await helper.flush(5s);
    proxy.delay(direction::to_client, 20ms);
    proxy.delay(direction::to_server, 20ms);
    connection nc = co_await connect(proxy.url());
    auto jobs = nc.subscribe("job");
    for (int i = 0; i < 50; ++i) co_await nc.publish("job", std::to_string(i));
    co_await nc.flush(5s);
    const auto work = [&]() -> asio::awaitable<void> {
      for (int i = 0; i < 50; ++i) {
        const auto job = co_await jobs.next(5s);
        const auto reply = co_await nc.request("ask", job.payload());
        co_await nc.publish("done", reply.payload());
      }
    };
    bool worked = false;
    asio::co_spawn(nc.get_executor(), work(), [&](std::exception_ptr e) { worked = !e; });
    // Interest is withdrawn at once; what was received is finished.
    co_await nc.drain(20s);
    CHECK(worked);
    co_await until([&] { return done.stats().received == 50; });
    CHECK(nc.state() == connection_state::closed);
  });
}

TEST_CASE("a cancelled next loses no message", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("n");
    int got = 0;
    for (int i = 0; i < 300; ++i) {
      asio::cancellation_signal cancel;
      std::optional<std::exception_ptr> ended;
      std::string payload;
      auto done = [&](std::exception_ptr e, message m) {
        ended = e;
        payload = m.payload();
      };
      asio::co_spawn(nc.get_executor(), sub.next(5s), asio::bind_cancellation_slot(cancel.slot(), done));
      co_await nc.publish("n", std::to_string(i));
      // The cancellation meets the message at every stage of its way, by where the round trip stands.
      for (int turn = 0; turn < i % 7; ++turn) co_await asio::post(nc.get_executor(), asio::use_awaitable);
      cancel.emit(asio::cancellation_type::terminal);
      co_await until([&] { return ended.has_value(); });
      if (*ended) {
        const auto m = co_await sub.next(5s);
        payload = m.payload();
      }
      REQUIRE(payload == std::to_string(i));
      ++got;
    }
    CHECK(got == 300);
  });
}

TEST_CASE("several callers of next are served in order", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("n");
    std::vector<std::string> order(3);
    int done = 0;
    for (std::size_t i = 0; i < 3; ++i)
      asio::co_spawn(nc.get_executor(), sub.next(5s), [&, i](std::exception_ptr, message m) {
        order[i] = m.payload();
        ++done;
      });
    for (int i = 0; i < 3; ++i) co_await nc.publish("n", std::to_string(i));
    co_await until([&] { return done == 3; });
    CHECK(order == std::vector<std::string>{"0", "1", "2"});
  });
}

namespace {

template <class F>
concept can_subscribe = requires(connection nc, F f) { nc.subscribe("x", f); };

}  // namespace

TEST_CASE("a coroutine that takes the view of a message is no handler", "[client]") {
  const auto plain = [](const message_view&) {};
  const auto counting = [](const message_view&) { return 1; };
  const auto waiting = [](message) -> asio::awaitable<void> { co_return; };
  const auto mistaken = [](const message_view&) -> asio::awaitable<void> { co_return; };
  STATIC_CHECK(can_subscribe<decltype(plain)>);
  STATIC_CHECK(can_subscribe<decltype(counting)>);
  STATIC_CHECK(can_subscribe<decltype(waiting)>);
  STATIC_CHECK_FALSE(can_subscribe<decltype(mistaken)>);
}

TEST_CASE("a filter or queue name that could inject protocol is refused before a byte leaves", "[client][row63]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const auto code_for = [&](const std::string& filter, const std::string& queue) {
      subscribe_options options;
      options.queue = queue;
      try {
        auto sub = nc.subscribe(filter, options);
      } catch (const system_error& e) {
        return e.code();
      }
      return error_code();
    };
    for (const std::string filter : {"", "a b", "a\r\nPUB x", "a..b", ".a", "a.", "a.>.b", "a\tb"}) {
      INFO(filter);
      CHECK(code_for(filter, "") == errc::invalid_subject);
    }
    for (const std::string queue : {"q r", "q\r\nUNSUB 1", "q\t"}) {
      INFO(queue);
      CHECK(code_for("a", queue) == errc::invalid_queue_name);
    }
    for (const std::string filter : {"a", "a.*.b", "a.>", ">"}) CHECK_FALSE(code_for(filter, "q"));
    co_await nc.flush(5s);
    CHECK(nc.stats().reconnects == 0);
  });
}

TEST_CASE("a limit of no messages ends the subscription at once", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("none");
    sub.unsubscribe_after(0);
    CHECK_FALSE(sub.active());
    const auto code = co_await code_of(sub.next(5s));
    CHECK(code == errc::subscription_closed);
    co_await nc.flush(5s);
  });
}

TEST_CASE("a drain that fails leaves no interest behind for the next link", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(proxy.url());
    connection nc = co_await connect(options);
    connection other = co_await connect(server.url());
    auto sub = nc.subscribe("drained");
    co_await nc.flush(5s);
    proxy.blackhole(direction::to_client);
    const auto code = co_await code_of(sub.drain(50ms));
    CHECK(code == errc::timeout);
    CHECK_FALSE(sub.active());
    proxy.reset();
    proxy.resume(direction::to_client);
    co_await until([&] { return nc.stats().reconnects == 1; });
    auto control = nc.subscribe("control");
    co_await nc.flush(5s);
    co_await other.publish("drained", "late");
    co_await other.publish("control", "now");
    const auto m = co_await control.next(5s);
    CHECK(m.payload() == "now");
    CHECK(sub.stats().received == 0);
    CHECK(nc.stats().in_messages == 1);  // the server did not send it
  });
}
