// SPDX-License-Identifier: Apache-2.0
// The continuous flow on a real server, through deletions, outages and stops.
#include <algorithm>
#include <set>
#include <thread>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <compass_fabric/testing/fault_proxy.hpp>
#include "jetstream/live.hpp"

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;
using kind = js::consume_event_kind;

namespace {

/// Short pulls, and every event kept.
struct flow_options {
  flow_options() {
    options.expires = 2s;
    options.idle_heartbeat = 500ms;
    options.on_event = [this](const js::consume_event& e) { events.push_back(e); };
  }
  int count(kind k) const {
    return static_cast<int>(std::count_if(events.begin(), events.end(), [k](const auto& e) { return e.kind == k; }));
  }

  js::consume_options options;
  std::vector<js::consume_event> events;
};

/// Takes and acks messages until `wanted` different ones came.
awaitable<void> take(js::message_stream& flow, std::set<std::uint64_t>& seen, std::size_t wanted) {
  const deadline end(default_wait);
  while (seen.size() < wanted && !end.passed()) {
    auto m = co_await flow.next(1s);
    if (!m) continue;
    seen.insert(m->metadata().stream_sequence);
    m->ack();
  }
  CHECK(seen.size() == wanted);
}

}  // namespace

TEST_CASE("a flow hands out everything in order and refills before it runs dry", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 100);
    flow_options f;
    f.options.max_messages = 10;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    for (int i = 0; i != 100; ++i) {
      auto m = co_await flow.next(5s);
      REQUIRE(m);
      CHECK(m->payload() == std::to_string(i));
      CHECK(flow.buffered() <= 10);
      m->ack();
    }
    CHECK(flow.pulls() >= 19);
    CHECK(flow.pulls() <= 22);
    const auto none = co_await flow.next(100ms);
    CHECK_FALSE(none);
    CHECK(flow.active());
    const bool done = co_await nothing_ack_pending(context);
    CHECK(done);
    CHECK(f.events.empty());
  });
}

TEST_CASE("a handler receives messages without a queue", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    int handled = 0;
    js::consume_options options;
    options.max_messages = 10;
    auto count = [&](js::message m) {
      ++handled;
      m.ack();
    };
    auto flow = context.consumer("ORDERS", "BILLING").consume(count, options);
    co_await publish_numbers(context, "orders.new", 50);
    co_await until([&] { return handled == 50; });
    CHECK(flow.buffered() == 0);
    co_await flow.stop(js::stop_mode::drain);
    CHECK_FALSE(flow.active());
    co_await publish_numbers(context, "orders.new", 5);
    co_await nc.flush();
    CHECK(handled == 50);
  });
}

TEST_CASE("[C048] a flow resumes within a second of every reconnect, and nothing is lost", "[jetstream][live]") {
  nats_server server;
  run(
      [&]() -> awaitable<void> {
        auto nc = co_await connect_fast(server.url());
        js::context context(nc);
        co_await provision(context);
        flow_options f;
        f.options.max_messages = 20;
        auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
        std::set<std::uint64_t> seen;
        for (int round = 1; round <= 5; ++round) {
          // Idle, mid-batch, and right after the pull was written.
          if (round % 2 == 0) co_await publish_numbers(context, "orders.new", 30);
          if (round % 2 == 0) co_await take(flow, seen, seen.size() + 5);
          server.kill();
          server.restart();
          co_await until([&] { return f.count(kind::resumed) == round; });
          const auto back = std::chrono::steady_clock::now();
          co_await context.publish("orders.new", "after");
          const auto info = co_await context.stream_info("ORDERS");
          const auto first = co_await flow.next(5s);
          REQUIRE(first);
          CHECK(std::chrono::steady_clock::now() - back < 1s);
          seen.insert(first->metadata().stream_sequence);
          co_await take(flow, seen, info.state.messages);
        }
      },
      milliseconds(90'000));
}

TEST_CASE("[C048] a fetch ends with what it has when the link is lost", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(proxy.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 3);
    auto billing = context.consumer("ORDERS", "BILLING");
    js::fetch_result result;
    bool ended = false;
    auto fetch = [&]() -> awaitable<void> {
      result = co_await billing.fetch(10);
      ended = true;
    };
    const auto before = nc.stats().in_messages;
    boost::asio::co_spawn(nc.get_executor(), fetch, boost::asio::detached);
    co_await until([&] { return nc.stats().in_messages == before + 3; });
    proxy.cut();
    co_await until([&] { return ended; }, 1s);
    CHECK(result.messages.size() == 3);
    CHECK(result.error == cf::errc::connection_lost);
  });
}

TEST_CASE("[C048] a flow sends no pull while there is no link, so that one waits after it", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 2);
    flow_options f;
    f.options.max_messages = 2;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    co_await until([&] { return flow.buffered() == 2; });
    nc.reconnect();
    CHECK(nc.state() != cf::connection_state::connected);
    // The taken message leaves room for another, and the flow has not been told of the lost link.
    CHECK(flow.try_next());
    co_await until([&] { return f.count(kind::resumed) == 1; });
    CHECK(flow.pulls() == 2);
    co_await until_waiting(context);
    const auto info = co_await context.consumer_info("ORDERS", "BILLING");
    CHECK(info.waiting == 1);
  });
}

TEST_CASE("[C050] a flow ends with the reason when its consumer is deleted", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 2);
    flow_options f;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    co_await until([&] { return flow.buffered() == 2; });
    co_await context.delete_consumer("ORDERS", "BILLING");
    co_await until([&] { return f.count(kind::ended) == 1; }, 2s);
    const auto first = co_await flow.next(1s);
    CHECK(first);
    const auto second = co_await flow.next(1s);
    CHECK(second);
    const auto end = co_await cf::as_result(flow.next(5s));
    CHECK(end.error() == js::errc::consumer_deleted);
    CHECK(flow.error() == js::errc::consumer_deleted);
    CHECK_FALSE(flow.active());
  });
}

TEST_CASE("[C050] a flow finds out that its consumer was deleted during an outage", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(proxy.url());
    auto direct = co_await cf::connect(server.url());
    js::context context(nc);
    js::context other(direct);
    co_await provision(other);
    flow_options f;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    co_await until_waiting(other);
    proxy.refuse();
    proxy.cut();
    co_await other.delete_consumer("ORDERS", "BILLING");
    proxy.accept();
    co_await until([&] { return f.count(kind::ended) == 1; });
    CHECK(flow.error() == js::errc::consumer_deleted);
  });
}

TEST_CASE("[C050] by choice a flow waits for its consumer to come back", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    flow_options f;
    f.options.on_missing = js::missing_policy::wait;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    co_await until_waiting(context);
    co_await context.delete_consumer("ORDERS", "BILLING");
    co_await until([&] { return f.count(kind::consumer_missing) == 1; });
    co_await publish_numbers(context, "orders.new", 3);
    const auto pulls = flow.pulls();
    co_await until([&] { return flow.pulls() >= pulls + 2; });
    const auto again = billing_consumer();
    co_await context.create_consumer("ORDERS", again);
    std::set<std::uint64_t> seen;
    co_await take(flow, seen, 3);
    CHECK(f.count(kind::consumer_missing) == 1);
    CHECK(flow.pulls() < pulls + 30);
  });
}

TEST_CASE("a flow from a push consumer ends with the reason", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto config = billing_consumer();
    config.unknown["deliver_subject"] = R"("elsewhere")";
    co_await provision(context, config);
    auto flow = context.consumer("ORDERS", "BILLING").consume();
    const auto end = co_await cf::as_result(flow.next(5s));
    CHECK(end.error() == js::errc::push_consumer);
  });
}

TEST_CASE("[C052] a server that goes silent is noticed after two heartbeats, and the flow goes on",
          "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(proxy.url());
    js::context context(nc);
    co_await provision(context);
    flow_options f;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    co_await until_waiting(context);
    proxy.rewrite(direction::to_client, [](std::string_view) { return std::string(); });
    const auto silent = std::chrono::steady_clock::now();
    co_await until([&] { return f.count(kind::pull_lost) == 1; });
    const auto noticed = std::chrono::steady_clock::now() - silent;
    CHECK(f.events.at(0).error == js::errc::missed_heartbeats);
    CHECK(noticed > 400ms);
    CHECK(noticed < 1500ms);
    proxy.rewrite(direction::to_client, {});
    proxy.cut();
    co_await until([&] { return f.count(kind::resumed) == 1; });
    co_await context.publish("orders.new", "x");
    const auto m = co_await flow.next(5s);
    CHECK(m);
  });
}

TEST_CASE("[C052] a slow application raises no heartbeat alarm", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 20);
    flow_options f;
    f.options.max_messages = 10;
    f.options.expires = 400ms;
    f.options.idle_heartbeat = 100ms;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    auto m = co_await flow.next(5s);
    REQUIRE(m);
    const auto busy_until = std::chrono::steady_clock::now() + 1s;
    co_await until([&] { return std::chrono::steady_clock::now() >= busy_until; });
    // Also when it holds up the whole executor.
    for (const auto end = std::chrono::steady_clock::now() + 1s; std::chrono::steady_clock::now() < end;) {
    }
    std::set<std::uint64_t> seen{m->metadata().stream_sequence};
    co_await take(flow, seen, 20);
    CHECK(f.count(kind::pull_lost) == 0);
  });
}

TEST_CASE("[C054] a flow gets past a message larger than its limit and reports it", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    const std::string large(200 * 1024, 'x');
    for (int i = 0; i != 5; ++i) {
      co_await context.publish("orders.new", "small");
      co_await context.publish("orders.new", large);
    }
    flow_options f;
    f.options.max_bytes = 64 * 1024;
    auto flow = context.consumer("ORDERS", "BILLING").consume(f.options);
    std::set<std::uint64_t> seen;
    co_await take(flow, seen, 10);
    CHECK(f.count(kind::message_too_large) >= 1);
    CHECK(f.count(kind::message_too_large) <= 5);
    CHECK(flow.pulls() < 40);
  });
}

TEST_CASE("[C056] what a released flow had is with the next consumer at once", "[jetstream][live]") {
  nats_server server;
  run(
      [&]() -> awaitable<void> {
        auto nc = co_await cf::connect(server.url());
        js::context context(nc);
        auto config = billing_consumer();
        config.max_ack_pending = 50;
        config.ack_wait = 60s;
        co_await provision(context, config);
        auto billing = context.consumer("ORDERS", "BILLING");
        flow_options f;
        f.options.max_messages = 50;
        for (int round = 0; round != 20; ++round) {
          co_await publish_numbers(context, "orders.new", 50);
          auto flow = billing.consume(f.options);
          std::set<std::uint64_t> seen;
          co_await take(flow, seen, 10);
          co_await flow.stop(js::stop_mode::release);
          CHECK_FALSE(flow.active());
          auto successor = billing.consume(f.options);
          const auto start = std::chrono::steady_clock::now();
          co_await take(successor, seen, 50);
          CHECK(std::chrono::steady_clock::now() - start < 1s);
          const bool done = co_await nothing_ack_pending(context);
          CHECK(done);
          co_await context.purge("ORDERS");
        }
      },
      milliseconds(60'000));
}

TEST_CASE("a drained flow hands out what it has, then ends without an error", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 5);
    auto flow = context.consumer("ORDERS", "BILLING").consume();
    co_await until([&] { return flow.buffered() == 5; });
    co_await flow.stop(js::stop_mode::drain);
    CHECK(flow.active());
    for (int i = 0; i != 5; ++i) {
      auto m = co_await flow.next(1s);
      REQUIRE(m);
      m->ack();
    }
    CHECK_FALSE(flow.active());
    const auto none = co_await flow.next(1s);
    CHECK_FALSE(none);
    CHECK_FALSE(flow.error());
    const bool done = co_await nothing_ack_pending(context);
    CHECK(done);
  });
}

TEST_CASE("[C065] a handle that goes away gives its messages back", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto config = billing_consumer();
    config.ack_wait = 5min;
    co_await provision(context, config);
    co_await publish_numbers(context, "orders.new", 20);
    auto billing = context.consumer("ORDERS", "BILLING");
    {
      auto flow = billing.consume();
      co_await until([&] { return flow.buffered() == 20; });
    }
    auto second = billing.consume();
    const auto start = std::chrono::steady_clock::now();
    std::set<std::uint64_t> seen;
    co_await take(second, seen, 20);
    CHECK(std::chrono::steady_clock::now() - start < 1s);
  });
}

TEST_CASE("closing the connection ends a flow and a fetch at once", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    auto billing = context.consumer("ORDERS", "BILLING");
    auto flow = billing.consume();
    js::fetch_result result;
    bool ended = false;
    auto fetch = [&]() -> awaitable<void> {
      result = co_await billing.fetch(1);
      ended = true;
    };
    boost::asio::co_spawn(nc.get_executor(), fetch, boost::asio::detached);
    co_await until_waiting(context);
    nc.close();
    co_await until([&] { return ended; }, 1s);
    CHECK(result.error == cf::errc::connection_closed);
    const auto end = co_await cf::as_result(flow.next(1s));
    CHECK(end.error() == cf::errc::connection_closed);
  });
}
