// SPDX-License-Identifier: Apache-2.0
// A server that is about to shut down is left before it cuts the link.
#include "fixture.hpp"
#include "support/cluster.hpp"

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
        co_await receiver.publish("own", "still here");
        const auto m = co_await own.next(10s);
        CHECK(m.payload() == "still here");
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
        auto sub = service.subscribe("slow", [&](const message_view& m) { held = m.reply; });
        co_await service.flush(10s);
        const auto executor = co_await asio::this_coro::executor;
        std::optional<std::string> answer;
        const request_options patient{.timeout = 20s};
        asio::co_spawn(executor, nc.request("slow", "q", patient),
                       [&](std::exception_ptr e, message m) { answer = e ? "failed" : std::string(m.payload()); });
        co_await until([&] { return !held.empty(); });
        servers.node(0).lame_duck();
        co_await until([&] { return events.has(event_kind::reconnected); });
        co_await service.publish(held, "late");
        co_await until([&] { return answer.has_value(); });
        CHECK(*answer == "late");
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
