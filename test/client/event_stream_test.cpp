// SPDX-License-Identifier: Apache-2.0
#include "client/event_hub.hpp"
#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("the events of a connection are a stream that ends with closed", "[client][row48][row49][row57]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(server.url());
    connection nc = co_await connect(options);
    event_stream events = nc.events();
    nc.reconnect();
    std::vector<event_kind> kinds;
    while (kinds.empty() || kinds.back() != event_kind::closed) {
      const auto e = co_await events.next(10s);
      if (e.kind == event_kind::info_changed || e.kind == event_kind::connected) continue;
      kinds.push_back(e.kind);
      if (e.kind == event_kind::reconnected) nc.close();
    }
    CHECK(kinds == std::vector{event_kind::disconnected, event_kind::reconnected, event_kind::closed});
    const auto code = co_await code_of(events.next(10s));
    CHECK(code == errc::connection_closed);
    const auto reason = co_await nc.closed();
    CHECK_FALSE(reason);
    event_stream late = nc.events();
    const auto nothing = co_await code_of(late.next(10s));
    CHECK(nothing == errc::connection_closed);
  });
}

TEST_CASE("an event stream nobody reads keeps the newest events and counts the others", "[client][row49]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(server.url());
    connection nc = co_await connect(options);
    event_stream events = nc.events(2);
    event_log seen;
    const auto watch = nc.on_event(seen.handler());
    for (std::size_t i = 1; i <= 3; ++i) {
      nc.reconnect();
      co_await until([&] { return seen.count(event_kind::reconnected) == i; });
    }
    nc.close();
    co_await until([&] { return seen.has(event_kind::closed); });
    CHECK(events.dropped() >= 5);
    (void)events.try_next();
    const auto last = events.try_next();
    REQUIRE(last);
    CHECK(last->kind == event_kind::closed);
    CHECK_FALSE(events.try_next());
  });
}

TEST_CASE("waiting for an event has a deadline, and outlives its connection", "[client][row49]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run_to_idle([&]() -> asio::awaitable<void> {
    const auto options = options_for(server.url());
    std::optional<connection> nc = co_await connect(options);
    event_stream events = nc->events();
    while (events.try_next()) {
    }
    nc->close();
    co_await nc->closed();
    nc.reset();
    event_kind last{};
    while (const auto e = events.try_next()) last = e->kind;
    CHECK(last == event_kind::closed);
    connection other = co_await connect(options);
    event_stream quiet = other.events();
    auto code = co_await code_of(quiet.next(1ms));
    while (!code) code = co_await code_of(quiet.next(1ms));  // the first INFO after the login
    CHECK(code == errc::timeout);
  });
}

TEST_CASE("event handlers that come and go leave nothing behind, also without an event", "[client]") {
  asio::io_context io;
  auto turns = std::make_shared<client::scheduler>(io.get_executor(), [] {});
  const auto hub = std::make_shared<client::event_hub>(*turns);
  const auto stays = hub->add([](const connection_event&) {});
  for (int i = 0; i < 10'000; ++i) hub->add([](const connection_event&) {});
  CHECK(hub->size() < 100);
  turns->stop();
}
