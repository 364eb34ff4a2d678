// SPDX-License-Identifier: Apache-2.0
// What happens at the limits of a subscription: in number, in bytes and in time.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C028 stop_reading loses nothing and keeps the link, however long nobody reads", "[client][row72][row73]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.ping_interval = 20ms;  // a link left unread for this long would be dead three times over
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    connection source = co_await connect(server.url());
    subscribe_options strict;
    strict.at_limit = limit_policy::stop_reading;
    strict.pending_messages_limit = 10;
    auto sub = nc.subscribe("n", strict);
    auto other = nc.subscribe("other");
    co_await nc.flush();
    constexpr int count = 5000;
    for (int i = 0; i < count; ++i) co_await source.publish("n", std::to_string(i));
    co_await source.publish("other", "late");
    co_await source.flush();
    co_await until([&] { return sub.stats().pending_messages == 10; });
    const bool cut = co_await eventually([&] { return events.has(event_kind::disconnected); }, 200ms);
    CHECK_FALSE(cut);
    CHECK(other.stats().received == 0);
    for (int i = 0; i < count; ++i) {
      const auto m = co_await sub.next(10s);
      REQUIRE(m.payload() == std::to_string(i));
    }
    const auto last = co_await other.next(10s);
    CHECK(last.payload() == "late");
    const auto stats = sub.stats();
    CHECK(stats.dropped == 0);
    CHECK(stats.delivered == count);
    CHECK(stats.max_pending_messages == 10);
    co_await nc.flush();
    CHECK_FALSE(events.has(event_kind::slow_consumer));
    CHECK_FALSE(events.has(event_kind::disconnected));
  });
}

TEST_CASE("a full subscription that has had all its messages leaves the reader alone", "[client][row71][row73]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options strict;
    strict.at_limit = limit_policy::stop_reading;
    strict.pending_messages_limit = strict.max_messages = 10;
    auto sub = nc.subscribe("n", strict);
    for (int i = 0; i < 10; ++i) co_await nc.publish("n", "x");
    co_await nc.flush(5s);
    CHECK_FALSE(sub.active());
    CHECK(sub.stats().pending_messages == 10);
    co_await nc.flush(5s);
  });
}

TEST_CASE("draining a full subscription takes in what is on its way", "[client][row73][row75]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options strict;
    strict.at_limit = limit_policy::stop_reading;
    strict.pending_messages_limit = 10;
    auto sub = nc.subscribe("n", strict);
    for (int i = 0; i < 30; ++i) co_await nc.publish("n", std::to_string(i));
    co_await until([&] { return sub.stats().pending_messages == 10; });
    const auto code = co_await code_of(sub.drain(100ms));  // nobody takes them
    CHECK(code == errc::timeout);
    for (int i = 0; i < 30; ++i) {
      const auto m = co_await sub.next(5s);
      CHECK(m.payload() == std::to_string(i));
    }
    co_await nc.flush(5s);
  });
}

TEST_CASE("the end of the subscription that stopped the reader lets it go on", "[client][row73]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options strict;
    strict.at_limit = limit_policy::stop_reading;
    strict.pending_messages_limit = 1;
    for (int round = 0; round < 2; ++round) {
      auto sub = nc.subscribe("n", strict);
      auto other = nc.subscribe("other");
      for (int i = 0; i < 3; ++i) co_await nc.publish("n", "x");
      co_await nc.publish("other", "y");
      co_await until([&] { return sub.stats().pending_messages == 1; });
      if (round == 0) sub.unsubscribe();
      if (round == 1) sub = subscription();
      const auto m = co_await other.next(10s);
      CHECK(m.payload() == "y");
    }
  });
}

TEST_CASE("a connection stopped by a full subscription can be closed, and its context destroyed", "[client][row73]") {
  nats_server server;
  for (const bool close_it : {true, false}) {
    asio::io_context io(1);
    std::optional<connection> nc;
    std::optional<subscription> sub;
    run_on(io, [&]() -> asio::awaitable<void> {
      nc = co_await connect(server.url());
      subscribe_options strict;
      strict.at_limit = limit_policy::stop_reading;
      strict.pending_messages_limit = 1;
      sub = nc->subscribe("n", strict);
      for (int i = 0; i < 3; ++i) co_await nc->publish("n", "x");
      co_await until([&] { return sub->stats().pending_messages == 1; });
      if (!close_it) co_return;
      nc->close();
      const auto why = co_await nc->closed();
      CHECK_FALSE(why);
    }());
  }
}

TEST_CASE("a lost link replaces one that is not read; the messages that wait stay", "[client][row73]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    subscribe_options strict;
    strict.at_limit = limit_policy::stop_reading;
    strict.pending_messages_limit = 2;
    auto sub = nc.subscribe("n", strict);
    for (const char* text : {"1", "2"}) co_await nc.publish("n", text);
    co_await until([&] { return sub.stats().pending_messages == 2; });
    proxy.cut();
    co_await nc.publish("n", std::string(1000, 'x'));  // a write finds out what no read does
    for (int i = 0; i < 1000 && !events.has(event_kind::reconnected); ++i) {
      nc.try_publish("elsewhere", "x");
      co_await eventually([&] { return events.has(event_kind::reconnected); }, 10ms);
    }
    REQUIRE(events.has(event_kind::reconnected));
    for (const char* text : {"1", "2"}) {
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == text);
    }
    co_await nc.publish("n", "3");
    for (;;) {
      const auto m = co_await sub.next(10s);
      if (m.payload() == "3") break;
    }
  });
}

TEST_CASE("counters and high-water marks stay readable after the end", "[client][row74]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options limited;
    limited.pending_messages_limit = 5;
    auto sub = nc.subscribe("n", limited);
    std::size_t seen = 0;
    auto tap = nc.subscribe("n", [&](const message_view&) { ++seen; });
    for (int i = 0; i < 8; ++i) co_await nc.publish("n", "123456789");
    co_await nc.flush();
    CHECK(sub.try_next());
    sub.unsubscribe();
    const auto stats = sub.stats();
    CHECK(stats.received == 8);
    CHECK(stats.dropped == 3);
    CHECK(stats.delivered == 1);
    CHECK(stats.pending_messages == 0);
    CHECK(stats.max_pending_messages == 5);
    CHECK(stats.max_pending_bytes == 50);
    CHECK(tap.stats().delivered == 8);
    CHECK(seen == 8);
  });
}

TEST_CASE("a subscription without its first message ends with a time-out", "[client][row69]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options brief;
    brief.first_timeout = 20ms;
    auto sub = nc.subscribe("n", brief);
    auto failure = co_await code_of(sub.next(10s));
    CHECK(failure == errc::timeout);
    CHECK_FALSE(sub.active());
    CHECK(sub.last_error() == errc::timeout);
    const auto handler = [](const message_view&) {};
    auto quiet = nc.subscribe("m", handler, brief);
    co_await until([&] { return !quiet.active(); });
    CHECK(quiet.last_error() == errc::timeout);
  });
}

TEST_CASE("messages keep a subscription alive until they stay away; what came can be taken", "[client][row69]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options options;
    options.first_timeout = 10s;
    options.idle_timeout = 1s;
    auto sub = nc.subscribe("n", options);
    int taps = 0;
    auto tap = nc.subscribe("n", [&](const message_view&) { ++taps; }, options);
    for (int i = 0; i < 2; ++i) {
      co_await nc.publish("n", std::to_string(i));
      co_await nc.flush();
    }
    co_await until([&] { return !sub.active() && !tap.active(); });
    CHECK(taps == 2);
    CHECK(tap.last_error() == errc::timeout);
    for (int i = 0; i < 2; ++i) {
      const auto m = co_await sub.next(1s);
      CHECK(m.payload() == std::to_string(i));
    }
    const auto failure = co_await code_of(sub.next(10s));
    CHECK(failure == errc::timeout);
  });
}

TEST_CASE("the total time ends a busy subscription, at the server too", "[client][row69]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options brief;
    brief.total_timeout = 50ms;
    auto sub = nc.subscribe("n", brief);
    while (sub.active()) {
      co_await nc.publish("n", "x");
      co_await nc.flush();
    }
    CHECK(sub.last_error() == errc::timeout);
    const auto received = sub.stats().received;
    const auto in_before = nc.stats().in_messages;
    co_await nc.publish("n", "x");
    co_await nc.flush();
    CHECK(sub.stats().received == received);
    CHECK(nc.stats().in_messages == in_before);
  });
}

TEST_CASE("options of a subscription out of range are refused with its subject", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options bad[5];
    bad[0].first_timeout = -1ms;
    bad[1].idle_timeout = -1ms;
    bad[2].total_timeout = -1ms;
    bad[3].max_concurrency = 0;
    bad[4].at_limit = limit_policy::stop_reading;
    bad[4].pending_messages_limit = bad[4].pending_bytes_limit = 0;
    for (const auto& options : bad) {
      std::string text;
      try {
        nc.subscribe("where.it.was", options);
      } catch (const system_error& e) {
        CHECK(e.code() == errc::invalid_option);
        text = e.what();
      }
      CHECK(text.find("where.it.was") != std::string::npos);
    }
  });
}

TEST_CASE("what was received already is passed on when reading may go on before it paused", "[client][row70]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscribe_options strict;
    strict.at_limit = limit_policy::stop_reading;
    strict.pending_messages_limit = 2;
    auto sub = nc.subscribe("many", strict);
    std::uint64_t taken = 0;
    const auto take = [&]() -> asio::awaitable<void> {
      while (taken < 100) {
        const auto batch = co_await sub.next_batch(1s);  // less than the server waits with its first PING
        taken += batch.size();
      }
    };
    error_code failure = errc::timeout;
    const auto all = [&]() -> asio::awaitable<void> { failure = co_await code_of(take()); };
    asio::co_spawn(nc.get_executor(), all(), asio::detached);
    for (int i = 0; i < 100; ++i) CHECK_FALSE(nc.try_publish("many", "x"));
    co_await until([&] { return failure != errc::timeout; });
    CHECK_FALSE(failure);
    CHECK(taken == 100);
  });
}
