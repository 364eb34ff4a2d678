// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

/// CPU time of this process so far.
std::chrono::microseconds cpu_time() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return std::chrono::seconds(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         std::chrono::microseconds(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

}  // namespace

TEST_CASE("C018 ten restarts in a row end connected, with every subscription", "[client][row46]") {
  nats_server server;
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(server.url());
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        auto sub = nc.subscribe("n");
        for (std::size_t round = 1; round <= 10; ++round) {
          server.kill();
          server.restart();
          co_await until([&] { return events.count(event_kind::reconnected) >= round; });
        }
        co_await nc.publish("n", "alive");
        const auto m = co_await sub.next(5s);
        CHECK(m.payload() == "alive");
        CHECK(events.count(event_kind::disconnected) == events.count(event_kind::reconnected));
      },
      60s);
}

TEST_CASE("C016 a silent link is stale, whatever is being written to it", "[client][row45]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.ping_interval = 100ms;
    options.max_pings_outstanding = 2;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
    proxy.blackhole(direction::to_client);
    const auto start = clock::now();
    while (!events.has(event_kind::disconnected)) {
      nc.try_publish("busy", "x");
      co_await eventually([&] { return events.has(event_kind::disconnected); }, 5ms);
      REQUIRE(clock::now() - start < 10s);
    }
    CHECK(events.last(event_kind::disconnected).error == errc::stale_connection);
    proxy.resume(direction::to_client);
    co_await nc.flush(10s);
  });
}

TEST_CASE("C021 a loss in the middle of restoring ends with everything restored", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    std::vector<subscription> subs;
    for (int i = 0; i < 50; ++i) subs.push_back(nc.subscribe("restored." + std::to_string(i)));
    co_await nc.flush(5s);
    proxy.reset();
    proxy.cut_after(direction::to_server, 700);  // inside the burst of SUBs
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(proxy.connections() >= 3);
    for (int i = 0; i < 50; ++i) {
      co_await nc.publish("restored." + std::to_string(i), std::to_string(i));
      const auto m = co_await subs[static_cast<std::size_t>(i)].next(5s);
      CHECK(m.payload() == std::to_string(i));
    }
  });
}

TEST_CASE("C098 a connection without a server costs next to no CPU time", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect.initial_delay = 100ms;
    options.reconnect.max_delay = 100ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    co_await nc.publish("queued", "x");
    const auto attempts = events.count(event_kind::connect_failed);
    const auto before = cpu_time();
    co_await until([&] { return events.count(event_kind::connect_failed) >= attempts + 10; });
    // Ten attempts, a second: the test's own polling is most of what is used.
    CHECK(cpu_time() - before < 500ms);
    proxy.accept();
    co_await nc.flush(5s);
  });
}

TEST_CASE("a server that accepts and drops is not hammered", "[client]") {
  std::vector<byte_peer::script> scripts(30, [](peer_connection& c) {
    c.send("INFO {\"max_payload\":1000,\"headers\":true}\r\n");
    c.expect_line_starting("CONNECT ");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.close();
  });
  byte_peer peer(scripts);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.reconnect.initial_delay = 50ms;
    options.reconnect.max_delay = 50ms;
    options.reconnect.jitter = 0ms;
    event_log events;
    options.on_event = events.handler();
    const auto start = clock::now();
    connection nc = co_await connect(options);
    co_await until([&] { return events.count(event_kind::disconnected) >= 10; });
    CHECK(clock::now() - start >= 9 * 50ms);
  });
}

TEST_CASE("without reconnect the first loss closes, with the reason", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect.enabled = false;
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("x");
    proxy.reset();
    const auto reason = co_await nc.closed();
    CHECK(reason);
    CHECK(nc.state() == connection_state::closed);
    const auto code = co_await code_of(sub.next(1s));
    CHECK(code == errc::connection_closed);
  });
}

TEST_CASE("the same refusal twice from one server ends the attempts", "[client][row34]") {
  nats_server_options with_password;
  with_password.user = "u";
  with_password.password = "right";
  nats_server server(with_password);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.user = "u";
    options.password = "right";
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    server.reload("authorization { user: u, password: changed }");
    const auto reason = co_await nc.closed();
    CHECK(reason == errc::authorization_violation);
    CHECK(events.count(event_kind::connect_failed) == 2);
  });
}

TEST_CASE("reconnecting by wish uses up no attempts", "[client][row45]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.reconnect.max_attempts = 2;
    connection nc = co_await connect(options);
    for (std::uint64_t i = 1; i <= 6; ++i) {
      nc.reconnect();
      co_await until([&] { return nc.stats().reconnects == i; });
    }
    co_await nc.flush();
  });
}

TEST_CASE("an old complaint of the server does not explain a later loss", "[client]") {
  nats_server_options limited;
  limited.extra_config =
      "authorization { users: [ { user: u, password: p, permissions: { publish: { deny: \"no\" } } } ] }";
  nats_server server(limited);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://u:p@127.0.0.1:" + std::to_string(proxy.port()));
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await nc.publish("no", "x");
    co_await until([&] { return events.has(event_kind::permission_denied); });
    proxy.cut();
    co_await until([&] { return events.has(event_kind::disconnected); });
    CHECK(events.last(event_kind::disconnected).text.empty());
  });
}
