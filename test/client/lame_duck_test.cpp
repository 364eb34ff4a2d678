// SPDX-License-Identifier: Apache-2.0
// A server that is about to shut down is left before it cuts the link.
#include <compass_fabric/testing/cluster.hpp>
#include "fixture.hpp"
#include "support/operator_mode.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

nats_server_options quiet_node() {
  nats_server_options node;
  node.jetstream = false;
  node.extra_config = "lame_duck_grace_period: 10s\nlame_duck_duration: 30s\n";
  return node;
}

}  // namespace

TEST_CASE("C015: a lame duck is announced once and left with every publish delivered", "[client][row47]") {
  cluster servers(quiet_node());
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(servers.node(0).url());
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        co_await until([&] { return nc.servers().size() == cluster::size; });
        // The receiver is on a server that stays.
        const auto other = options_for(servers.node(1).url());
        connection receiver = co_await connect(other);
        std::size_t received = 0;
        std::size_t warmed = 0;
        auto sub = receiver.subscribe(
            "all.*", [&](const message_view& m) { ++(m.subject == "all.numbers" ? received : warmed); });
        co_await receiver.flush(10s);
        while (warmed == 0) {  // until the interest has reached the other server
          co_await nc.publish("all.warm", "n");
          co_await eventually([&] { return warmed != 0; }, 50ms);
        }
        auto own = nc.subscribe("own");
        std::size_t published = 0;
        servers.node(0).lame_duck();
        const auto start = clock::now();
        while (!events.has(event_kind::reconnected)) {
          for (int i = 0; i < 50; ++i, ++published) co_await nc.publish("all.numbers", "n");
          co_await nc.flush(20s);  // never fails because of the move
          REQUIRE(clock::now() - start < 20s);
        }
        CHECK(servers.node(0).running());  // it had not cut anyone yet
        CHECK(events.count(event_kind::lame_duck) == 1);
        CHECK(events.count(event_kind::disconnected) == 1);
        CHECK(events.last(event_kind::disconnected).error == errc::server_shutting_down);
        CHECK(events.last(event_kind::reconnected).server != servers.node(0).url());
        co_await nc.flush(10s);
        co_await until([&] { return received == published; });
        CHECK(nc.servers().back().address == "127.0.0.1:" + std::to_string(servers.node(0).port()));
        bool alive = false;
        while (!alive) {  // until the interest has come from the new server
          co_await receiver.publish("own", "still here");
          const auto code = co_await code_of(own.next(300ms));
          alive = !code;
        }
      },
      60s);
}

TEST_CASE("C015: requests in flight survive the move away from a lame duck", "[client][row47]") {
  cluster servers(quiet_node());
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(servers.node(0).url());
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        co_await until([&] { return nc.servers().size() == cluster::size; });
        const auto other = options_for(servers.node(1).url());
        connection service = co_await connect(other);
        std::string held;
        auto sub = service.subscribe("service.*", [&](const message_view& m) {
          if (m.subject == "service.slow") {
            held = m.reply;
          } else {
            service.try_publish(m.reply, "quick");
          }
        });
        // Until the interest has reached the other server there are no responders.
        auto code = co_await code_of(nc.request("service.quick", "q"));
        while (code) code = co_await code_of(nc.request("service.quick", "q"));
        const auto executor = co_await asio::this_coro::executor;
        std::optional<std::string> answer;
        const request_options patient{.timeout = 20s};
        asio::co_spawn(executor, nc.request("service.slow", "q", patient),
                       [&](std::exception_ptr e, message m) { answer = e ? "failed" : std::string(m.payload()); });
        co_await until([&] { return !held.empty(); });
        servers.node(0).lame_duck();
        co_await until([&] { return events.has(event_kind::reconnected); });
        CHECK_FALSE(answer);
        // Until the interest in the replies has come from the new server, they are lost.
        const request_options brief{.timeout = 300ms};
        code = co_await code_of(nc.request("service.quick", "q", brief));
        while (code) code = co_await code_of(nc.request("service.quick", "q", brief));
        co_await service.publish(held, "late");
        co_await until([&] { return answer.has_value(); });
        CHECK(*answer == "late");
      },
      60s);
}

TEST_CASE("C015: a full account does not keep a client from leaving a lame duck", "[client][row47]") {
  const operator_mode op(1);
  auto node = quiet_node();
  node.extra_config += op.server_config();
  cluster servers(node);
  const auto user = op.make_user();
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(servers.node(0).url());
        options.auth = creds_text{user.creds()};
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        co_await until([&] { return nc.servers().size() == cluster::size; });
        servers.node(0).lame_duck();
        co_await until([&] { return events.has(event_kind::reconnected); });
        for (const auto& e : events.of(event_kind::connect_failed)) {
          const bool expected = e.error == errc::max_connections_exceeded || e.error == asio::error::connection_refused;
          CHECK(expected);
        }
        co_await nc.flush(10s);
      },
      60s);
}

TEST_CASE("C015: a lone lame duck is kept until it cuts, and an option keeps every one", "[client][row47]") {
  auto node = quiet_node();
  nats_server lone(node);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(lone.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    lone.lame_duck();
    co_await until([&] { return events.has(event_kind::lame_duck); });
    co_await nc.flush(10s);
    CHECK_FALSE(events.has(event_kind::disconnected));
  });
  nats_server first(node);
  nats_server second(node);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(first.url());
    options.servers.push_back(second.url());
    options.reconnect.leave_lame_duck = false;
    options.reconnect.jitter = 0ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    first.lame_duck();
    co_await until([&] { return events.has(event_kind::lame_duck); });
    for (int i = 0; i < 5; ++i) co_await nc.flush(10s);
    CHECK_FALSE(events.has(event_kind::disconnected));
    CHECK(nc.state() == connection_state::connected);
  });
}

TEST_CASE("a lame duck that no longer answers is left at the deadline", "[client][row47]") {
  byte_peer peer([](peer_connection& c) {
    const std::string info = R"(INFO {"max_payload":1000,"headers":true,"proto":1)";
    c.send(info + "}\r\n");
    c.expect_line_starting("CONNECT ");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.expect("PING\r\n");
    c.send("PONG\r\n" + info + ",\"ldm\":true}\r\n" + info + ",\"ldm\":true}\r\n");
    c.hold();
  });
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.servers.push_back(server.url());
    options.connect_timeout = 500ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("kept");
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(events.count(event_kind::lame_duck) == 1);
    co_await nc.publish("kept", "x");
    const auto m = co_await sub.next(10s);
    CHECK(m.payload() == "x");
  });
}
