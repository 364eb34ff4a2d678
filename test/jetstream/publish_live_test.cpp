// SPDX-License-Identifier: Apache-2.0
// Publishing with acknowledgement on a real server: one by one, and pipelined.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include <compass_fabric/testing/fault_proxy.hpp>
#include "jetstream/live.hpp"

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

namespace {

js::publish_retry quick() {
  js::publish_retry retry;
  retry.ack_timeout = 300ms;
  retry.budget = 5s;
  return retry;
}

/// Counts outcomes by what they were.
struct outcomes {
  void operator()(const js::publish_outcome& o) {
    if (o.error == js::errc::ack_unknown) ++unknown;
    if (o.error && o.error != js::errc::ack_unknown) ++failed;
    if (o.error) return;
    if (o.ack.duplicate) ++duplicates;
    sequences.insert(o.ack.sequence);
    tags.push_back(o.tag);
  }
  std::set<std::uint64_t> sequences;
  std::vector<std::uint64_t> tags;
  int duplicates = 0;
  int unknown = 0;
  int failed = 0;
};

}  // namespace

TEST_CASE("an acknowledgement names stream and sequence, a duplicate the first one's", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    js::publish_options options;
    options.message_id = "one";
    const auto first = co_await context.publish("orders.new", "x", options);
    CHECK(first.stream == "ORDERS");
    CHECK(first.sequence == 1);
    CHECK_FALSE(first.duplicate);
    const auto second = co_await context.publish("orders.new", "x", options);
    CHECK(second.sequence == 1);
    CHECK(second.duplicate);
  });
}

TEST_CASE("a publish with conditions that do not hold is refused and not stored", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await context.publish("orders.new", "x");
    js::publish_options sequence;
    sequence.expected_last_sequence = 7;
    const auto one = co_await cf::as_result(context.publish("orders.new", "x", sequence));
    CHECK(one.error() == js::errc::wrong_last_sequence);
    js::publish_options subject;
    subject.expected_last_subject_sequence = 0;
    const auto two = co_await cf::as_result(context.publish("orders.new", "x", subject));
    CHECK(two.error() == js::errc::wrong_last_sequence);
    js::publish_options id;
    id.expected_last_message_id = "other";
    const auto three = co_await cf::as_result(context.publish("orders.new", "x", id));
    CHECK(three.error() == js::errc::wrong_last_sequence);
    js::publish_options stream;
    stream.expected_stream = "OTHER";
    const auto four = co_await cf::as_result(context.publish("orders.new", "x", stream));
    CHECK(four.error() == js::errc::refused);
    sequence.expected_last_sequence = 1;
    sequence.expected_stream = "ORDERS";
    const auto good = co_await context.publish("orders.new", "x", sequence);
    CHECK(good.sequence == 2);
  });
}

TEST_CASE("[C043] a subject that no stream covers fails clearly once the budget is spent", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    js::publish_options options;
    options.retry.budget = 1s;
    const auto start = std::chrono::steady_clock::now();
    const auto result = co_await cf::as_result(context.publish("nowhere", "x", options));
    const auto took = std::chrono::steady_clock::now() - start;
    CHECK(result.error() == js::errc::no_stream_response);
    CHECK(took > 500ms);
    CHECK(took < 1500ms);
    options.retry.budget = 0ms;
    const auto refused = co_await cf::as_result(context.publish("nowhere", "x", options));
    CHECK(refused.error() == js::errc::invalid_option);
  });
}

TEST_CASE("[C043] a publish waits for a stream that comes within the budget", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    std::uint64_t sequence = 0;
    auto publish = [&]() -> awaitable<void> {
      const auto ack = co_await context.publish("orders.new", "x");
      sequence = ack.sequence;
    };
    boost::asio::co_spawn(nc.get_executor(), publish, boost::asio::detached);
    co_await until([&] { return nc.stats().out_messages >= 2; });
    co_await provision(context);
    co_await until([&] { return sequence == 1; });
    CHECK(sequence == 1);
  });
}

TEST_CASE("[C042] an ack not seen is retried under the same id and stored once", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run(
      [&]() -> awaitable<void> {
        auto nc = co_await cf::connect(proxy.url());
        js::context context(nc);
        co_await provision(context);
        js::publish_options options;
        options.retry = quick();
        for (std::uint64_t i = 1; i <= 30; ++i) {
          const auto id = "id-" + std::to_string(i);
          options.message_id = id;
          js::publish_ack ack;
          auto publish = [&]() -> awaitable<void> { ack = co_await context.publish("orders.new", id, options); };
          const auto sent = nc.stats().out_messages;
          const bool late = i % 5 == 0;
          if (late) proxy.pause(direction::to_client);
          boost::asio::co_spawn(nc.get_executor(), publish, boost::asio::detached);
          // The first acknowledgement comes only after the message was sent again.
          if (late) co_await until([&] { return nc.stats().out_messages == sent + 2; });
          if (late) proxy.resume(direction::to_client);
          co_await until([&] { return ack.sequence != 0; });
          CHECK(ack.sequence == i);
          CHECK(ack.duplicate == late);
        }
        const auto info = co_await context.stream_info("ORDERS");
        CHECK(info.state.messages == 30);
      },
      milliseconds(60'000));
}

TEST_CASE("[C042] without an id an unseen ack is unknown, and not retried", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(proxy.url());
    js::context context(nc);
    co_await provision(context);
    proxy.blackhole(direction::to_client);
    js::publish_options options;
    options.retry = quick();
    const auto start = std::chrono::steady_clock::now();
    const auto result = co_await cf::as_result(context.publish("orders.new", "x", options));
    CHECK(result.error() == js::errc::ack_unknown);
    CHECK(std::chrono::steady_clock::now() - start < 1s);
    auto direct = co_await cf::connect(server.url());
    js::context other(direct);
    const auto info = co_await other.stream_info("ORDERS");
    CHECK(info.state.messages == 1);
  });
}

TEST_CASE("[C045] many first publishes at once each get their own acknowledgement", "[jetstream][live]") {
  nats_server server;
  run(
      [&]() -> awaitable<void> {
        auto admin = co_await cf::connect(server.url());
        js::context manage(admin);
        co_await provision(manage);
        for (int round = 0; round != 20; ++round) {
          auto nc = co_await cf::connect(server.url());
          js::context context(nc);
          std::vector<std::uint64_t> sequences(64);
          std::size_t done = 0;
          auto publish = [&](std::size_t task) -> awaitable<void> {
            const auto body = std::to_string(task);
            const auto ack = co_await context.publish("orders.new", body);
            sequences[task] = ack.sequence;
            ++done;
          };
          for (std::size_t i = 0; i != 64; ++i)
            boost::asio::co_spawn(nc.get_executor(), publish(i), boost::asio::detached);
          co_await until([&] { return done == 64; });
          for (std::size_t i = 0; i != 64; ++i) {
            const auto stored = co_await context.get_message("ORDERS", sequences[i]);
            CHECK(stored.payload == std::to_string(i));
          }
        }
      },
      milliseconds(60'000));
}

TEST_CASE("[C045] a window of publishes gives one outcome for each, and no reply subject comes twice",
          "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    outcomes seen;
    std::set<std::string> replies;
    auto watch = nc.subscribe("orders.new", [&](const cf::message_view& m) { replies.emplace(m.reply); });
    js::publisher_options options;
    options.window = 50;
    js::publisher out(context, options, std::ref(seen));
    const js::publish_options plain;
    for (std::uint64_t i = 0; i != 2000; ++i) {
      co_await out.publish("orders.new", "x", plain, i);
      CHECK(out.open() <= 50);
    }
    co_await out.wait_all();
    CHECK(out.open() == 0);
    CHECK(seen.sequences.size() == 2000);
    CHECK(seen.tags.size() == 2000);
    CHECK(std::is_sorted(seen.tags.begin(), seen.tags.end()));
    CHECK(replies.size() == 2000);
    js::publish_options conditional;
    conditional.expected_last_sequence = 1;
    co_await out.publish("orders.new", "x", conditional);
    co_await out.wait_all();
    CHECK(seen.failed == 1);
  });
}

TEST_CASE("a full window refuses without waiting", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    outcomes seen;
    js::publisher_options options;
    options.window = 2;
    js::publisher out(context, options, std::ref(seen));
    CHECK_FALSE(out.try_publish("orders.new", "a"));
    CHECK_FALSE(out.try_publish("orders.new", "b"));
    CHECK(out.try_publish("orders.new", "c") == js::errc::window_full);
    co_await out.wait_all();
    CHECK(out.try_publish("orders..new", "c") == cf::errc::invalid_subject);
    js::publish_options bad;
    bad.message_id = "a\r\nb";
    CHECK(out.try_publish("orders.new", "c", bad) == cf::errc::invalid_header);
    const auto thrown = co_await cf::as_result(out.publish("orders..new", "c"));
    CHECK(thrown.error() == cf::errc::invalid_subject);
    CHECK(out.open() == 0);
    CHECK(seen.sequences.size() == 2);
    options.window = 0;
    CHECK_THROWS_AS(js::publisher(context, options, std::ref(seen)), cf::system_error);
  });
}

TEST_CASE("[C042] pipelined publishes with ids survive cut links: all stored once", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run(
      [&]() -> awaitable<void> {
        auto nc = co_await connect_fast(proxy.url());
        js::context context(nc);
        co_await provision(context);
        outcomes seen;
        js::publisher_options options;
        options.window = 100;
        js::publisher out(context, options, std::ref(seen));
        for (int i = 0; i != 5000; ++i) {
          const auto id = std::to_string(i);
          js::publish_options each;
          each.message_id = id;
          co_await out.publish("orders.new", id, each);
          if (i % 1000 == 500) proxy.reset();
        }
        co_await out.wait_all();
        CHECK(seen.unknown == 0);
        CHECK(seen.failed == 0);
        CHECK(seen.sequences.size() == 5000);
        const auto info = co_await context.stream_info("ORDERS");
        CHECK(info.state.messages == 5000);
      },
      milliseconds(60'000));
}

TEST_CASE("pipelined publishes without ids are in doubt when the link is lost", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(proxy.url());
    js::context context(nc);
    co_await provision(context);
    outcomes seen;
    js::publisher out(context, {}, std::ref(seen));
    proxy.pause(direction::to_client);
    for (int i = 0; i != 10; ++i) CHECK_FALSE(out.try_publish("orders.new", "x"));
    proxy.resume(direction::to_client);
    proxy.reset();
    co_await out.wait_all();
    CHECK(seen.unknown + static_cast<int>(seen.sequences.size()) == 10);
    CHECK(seen.failed == 0);
  });
}

TEST_CASE("a publisher that goes away leaves no message without an outcome", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    outcomes seen;
    {
      js::publisher out(context, {}, std::ref(seen));
      for (int i = 0; i != 10; ++i) CHECK_FALSE(out.try_publish("orders.new", "x"));
    }
    CHECK(seen.unknown == 10);
  });
}
