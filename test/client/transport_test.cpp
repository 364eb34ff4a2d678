// SPDX-License-Identifier: Apache-2.0
// The same conversation over every transport.
#include <catch2/generators/catch_generators.hpp>
#include <sstream>

#include "transport_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

way any_way() { return GENERATE(way::tcp, way::tls, way::ws, way::wss); }

std::string numbered(std::size_t i, std::size_t size) { return std::string(size, static_cast<char>('a' + i % 26)); }

}  // namespace

TEST_CASE("a connection publishes, subscribes, requests and drains over every transport",
          "[client][row1][row4][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  run([&]() -> asio::awaitable<void> {
    const auto options = server.options();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("ask", [&](const message_view& m) { nc.try_publish(m.reply, m.payload); });
    const auto reply = co_await nc.request("ask", "anyone?");
    CHECK(reply.payload() == "anyone?");
    CHECK(nc.info().headers);
    co_await nc.drain(5s);
  });
}

TEST_CASE("a lost link is replaced with its subscriptions over every transport", "[client][row4][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = server.options(proxy.port());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("kept");
    for (std::size_t round = 1; round <= 3; ++round) {
      if (round == 1) proxy.reset();
      if (round == 2) proxy.cut();
      if (round == 3) server.server().restart();
      co_await until([&] { return events.count(event_kind::reconnected) >= round; });
      co_await nc.publish("kept", std::to_string(round));
      const auto m = co_await sub.next(5s);
      CHECK(m.payload() == std::to_string(round));
    }
    CHECK(events.count(event_kind::disconnected) == events.count(event_kind::reconnected));
  });
}

TEST_CASE("large messages arrive whole over every transport", "[client][row4][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w, "max_payload: 8MB");
  run([&]() -> asio::awaitable<void> {
    const auto options = server.options();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("large");
    for (const std::size_t size :
         {std::size_t{65'535}, std::size_t{65'536}, std::size_t{1'000'001}, std::size_t{8'000'000}}) {
      co_await nc.publish("large", numbered(size, size));
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == numbered(size, size));
    }
  });
}

TEST_CASE("frames may be cut anywhere over every transport", "[client][row4][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  const std::size_t piece = GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{7});
  run([&]() -> asio::awaitable<void> {
    proxy.rechunk(direction::to_client, piece, piece);
    proxy.rechunk(direction::to_server, piece, piece);
    auto options = server.options(proxy.port());
    options.connect_timeout = 20s;
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("cut");
    for (std::size_t i = 0; i < 150; ++i) co_await nc.publish("cut", numbered(i, i));
    for (std::size_t i = 0; i < 150; ++i) {
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == numbered(i, i));
    }
  });
}

TEST_CASE("a server that stops reading holds publishers back over every transport", "[client][row4][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    const auto options = server.options(proxy.port());
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("held");
    co_await nc.flush(5s);
    proxy.pause(direction::to_server);
    constexpr std::size_t count = 100;
    auto send = [&]() -> asio::awaitable<void> {
      for (std::size_t i = 0; i < count; ++i) co_await nc.publish("held", numbered(i, 200'000 + i));
    };
    bool sent = false;
    const auto executor = co_await asio::this_coro::executor;
    asio::co_spawn(executor, send(), [&](std::exception_ptr) { sent = true; });
    co_await until([&] { return nc.stats().outbox_bytes > 256 * 1024; });
    CHECK_FALSE(sent);
    proxy.resume(direction::to_server);
    for (std::size_t i = 0; i < count; ++i) {
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == numbered(i, 200'000 + i));
    }
  });
}

TEST_CASE("a write without progress ends the link over every transport", "[client][row23]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = server.options(proxy.port());
    options.write_deadline = 300ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.pause(direction::to_server);
    const std::string payload(100'000, 'x');
    while (!events.has(event_kind::disconnected)) {
      nc.try_publish("stuck", payload);
      co_await eventually([&] { return events.has(event_kind::disconnected); }, 2ms);
    }
    CHECK(events.last(event_kind::disconnected).error == errc::write_timeout);
  });
}

TEST_CASE("C007 a silent peer costs one deadline over every transport", "[client][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  byte_peer silent([](peer_connection& c) { c.swallow(); });
  run([&]() -> asio::awaitable<void> {
    auto options = server.options(silent.port());
    options.servers.push_back(server.url(server.port()));
    options.connect_timeout = 1s;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await until([&] { return events.has(event_kind::connect_failed); });
    CHECK(events.last(event_kind::connect_failed).error == errc::timeout);
  });
}

TEST_CASE("C009: a sidecar that accepts and closes is tried until the server is there, over every transport",
          "[client][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy sidecar(1);  // accepts, finds nobody and closes
  run([&]() -> asio::awaitable<void> {
    auto options = server.options(sidecar.port());
    options.retry_on_initial_connect = true;
    event_log events;
    options.on_event = events.handler();
    const auto executor = co_await asio::this_coro::executor;
    std::optional<connection> nc;
    asio::co_spawn(executor, connect(options), [&](std::exception_ptr e, connection made) {
      if (!e) nc = std::move(made);
    });
    co_await until([&] { return events.count(event_kind::connect_failed) >= 3; });
    CHECK(events.last(event_kind::connect_failed).error);
    sidecar.set_upstream(server.port());
    co_await until([&] { return nc.has_value(); });
    co_await nc->flush(5s);
  });
}

TEST_CASE("a connection may be destroyed at any step of connecting over every transport", "[client][row15]") {
  const auto w = any_way();
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  for (std::uint64_t bytes = 1; bytes < 3000; bytes = bytes * 2 + 3) {
    asio::io_context io(1);
    const auto options = server.options(proxy.port());
    proxy.cut_after(direction::to_client, 1'000'000);
    const auto before = proxy.bytes(direction::to_client);
    std::optional<error_code> ended;
    asio::co_spawn(io, connect(options), [&](std::exception_ptr e, connection) { ended = to_error_code(e); });
    const deadline end(5s);
    while (!ended && proxy.bytes(direction::to_client) < before + bytes && !end.passed()) io.run_for(1ms);
    // The context goes with whatever waits on it.
  }
}
