// SPDX-License-Identifier: Apache-2.0
// Fetching and answering on a real server.
#include <catch2/catch_test_macros.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <compass_fabric/testing/fault_proxy.hpp>
#include "jetstream/live.hpp"

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

TEST_CASE("a fetched message tells where it came from and is done once acked", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 3);
    auto billing = context.consumer("ORDERS", "BILLING");
    CHECK(billing.stream() == "ORDERS");
    CHECK(billing.name() == "BILLING");
    auto batch = co_await billing.fetch(2);
    CHECK(batch.end == js::fetch_end::complete);
    REQUIRE(batch.messages.size() == 2);
    auto& second = batch.messages[1];
    CHECK(second.subject() == "orders.new");
    CHECK(second.payload() == "1");
    const auto& from = second.metadata();
    CHECK(from.stream == "ORDERS");
    CHECK(from.consumer == "BILLING");
    CHECK(from.delivered == 1);
    CHECK(from.stream_sequence == 2);
    CHECK(from.consumer_sequence == 2);
    CHECK(from.pending == 1);
    CHECK(from.time.time_since_epoch() > 0s);
    for (auto& m : batch.messages) CHECK_FALSE(m.ack());
    const bool done = co_await nothing_ack_pending(context);
    CHECK(done);
  }());
}

TEST_CASE("a delivery takes one final answer", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 1);
    auto billing = context.consumer("ORDERS", "BILLING");
    auto m = co_await billing.next(2s);
    REQUIRE(m);
    CHECK_FALSE(m->in_progress());
    CHECK_FALSE(m->answered());
    CHECK(m->nak(-1s) == js::errc::invalid_option);
    CHECK_FALSE(m->nak());
    CHECK(m->answered());
    CHECK(m->ack() == js::errc::already_acked);
    CHECK(m->term() == js::errc::already_acked);
    CHECK(m->in_progress() == js::errc::already_acked);
    const auto twice = co_await cf::as_result(m->double_ack());
    CHECK(twice.error() == js::errc::already_acked);
    auto again = co_await billing.next(2s);
    REQUIRE(again);
    CHECK(again->metadata().delivered == 2);
    co_await again->double_ack();
    const auto pending = co_await ack_pending(context);
    CHECK(pending == 0);
  }());
}

TEST_CASE("a nak with delay comes back after it, a term never", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    auto advisories = nc.subscribe("$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>");
    co_await publish_numbers(context, "orders.new", 1);
    auto billing = context.consumer("ORDERS", "BILLING");
    auto m = co_await billing.next(2s);
    REQUIRE(m);
    const auto start = std::chrono::steady_clock::now();
    CHECK_FALSE(m->nak(300ms));
    auto again = co_await billing.next(5s);
    REQUIRE(again);
    CHECK(std::chrono::steady_clock::now() - start >= 250ms);
    CHECK_FALSE(again->term("bad\r\norder"));
    const auto advisory = co_await advisories.next(2s);
    CHECK(advisory.payload().find("bad  order") != std::string_view::npos);
    auto third = co_await billing.next(300ms);
    CHECK_FALSE(third);
  }());
}

TEST_CASE("a message that no consumer delivered has no metadata and takes no answer", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    auto sub = nc.subscribe("plain");
    co_await nc.publish("plain", "x");
    auto received = co_await sub.next(2s);
    js::message m(nc, std::move(received));
    CHECK_FALSE(m.has_metadata());
    CHECK_THROWS_AS(m.metadata(), cf::system_error);
    CHECK(m.ack() == js::errc::not_a_jetstream_message);
    cf::publish_options odd;
    odd.reply = "damaged.ack";
    auto answers = nc.subscribe("damaged.ack");
    co_await nc.publish("plain", "x", odd);
    received = co_await sub.next(2s);
    js::message damaged(nc, std::move(received));
    CHECK_FALSE(damaged.has_metadata());
    CHECK_FALSE(damaged.nak());
    const auto answer = co_await answers.next(2s);
    CHECK(answer.payload() == "-NAK");
  }());
}

TEST_CASE("[C053] each fetch yields its own messages, its own end, and keeps its time", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    auto billing = context.consumer("ORDERS", "BILLING");
    for (int round = 0; round != 10; ++round) {
      co_await publish_numbers(context, "orders.new", 7);
      js::fetch_options options;
      options.expires = 200ms;
      options.no_wait = round % 2 == 1;
      const auto start = std::chrono::steady_clock::now();
      auto batch = co_await billing.fetch(10, options);
      const auto took = std::chrono::steady_clock::now() - start;
      CHECK(batch.messages.size() == 7);
      CHECK(batch.end == js::fetch_end::no_more_messages);
      CHECK_FALSE(batch.error);
      if (!options.no_wait) CHECK(took >= 195ms);
      CHECK(took < 300ms);
      for (auto& m : batch.messages) m.ack();
    }
  }());
}

TEST_CASE("[C050] a fetch from what does not exist, or ceases to, says so at once", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto nobody = context.consumer("ORDERS", "NOBODY");
    const auto missing = co_await nobody.fetch(1);
    CHECK(missing.error == js::errc::unavailable);
    const auto next = co_await cf::as_result(nobody.next(1s));
    CHECK(next.error() == js::errc::unavailable);
    co_await provision(context);
    auto billing = context.consumer("ORDERS", "BILLING");
    js::fetch_result waiting;
    bool ended = false;
    boost::asio::co_spawn(
        nc.get_executor(),
        [&]() -> awaitable<void> {
          waiting = co_await billing.fetch(1);
          ended = true;
        },
        boost::asio::detached);
    co_await until_waiting(context);
    co_await context.delete_consumer("ORDERS", "BILLING");
    co_await until([&] { return ended; }, 2s);
    CHECK(waiting.end == js::fetch_end::failed);
    CHECK(waiting.error == js::errc::consumer_deleted);
  }());
}

TEST_CASE("[C052] a fetch whose pull or answer is lost ends by its own time or heartbeat", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(proxy.url());
    js::context context(nc);
    co_await provision(context);
    auto billing = context.consumer("ORDERS", "BILLING");
    proxy.blackhole(direction::to_server);
    js::fetch_options options;
    options.expires = 300ms;
    auto start = std::chrono::steady_clock::now();
    const auto silent = co_await billing.fetch(10, options);
    CHECK(silent.end == js::fetch_end::no_more_messages);
    CHECK(std::chrono::steady_clock::now() - start < 450ms);
    options.expires = 10s;
    options.idle_heartbeat = 200ms;
    start = std::chrono::steady_clock::now();
    const auto dead = co_await billing.fetch(10, options);
    CHECK(dead.error == js::errc::missed_heartbeats);
    CHECK(std::chrono::steady_clock::now() - start >= 390ms);
    CHECK(std::chrono::steady_clock::now() - start < 800ms);
  });
}

TEST_CASE("a cancelled fetch gives its messages back", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 3);
    auto billing = context.consumer("ORDERS", "BILLING");
    boost::asio::cancellation_signal cancel;
    bool ended = false;
    auto fetch = [&]() -> awaitable<void> {
      const auto result = co_await cf::as_result(billing.fetch(10));
      CHECK(result.error() == boost::asio::error::operation_aborted);
      ended = true;
    };
    auto done = [](std::exception_ptr) {};
    boost::asio::co_spawn(nc.get_executor(), fetch, boost::asio::bind_cancellation_slot(cancel.slot(), done));
    co_await until_waiting(context);
    cancel.emit(boost::asio::cancellation_type::terminal);
    co_await until([&] { return ended; });
    auto again = co_await billing.fetch(3);
    REQUIRE(again.messages.size() == 3);
    CHECK(again.messages[0].metadata().delivered == 2);
  });
}

TEST_CASE("[C054] a message larger than max_bytes is an error with a way on", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    const std::string large(200 * 1024, 'x');
    co_await context.publish("orders.new", "small");
    co_await context.publish("orders.new", large);
    co_await context.publish("orders.new", "small");
    auto billing = context.consumer("ORDERS", "BILLING");
    js::fetch_options options;
    options.max_bytes = 64 * 1024;
    options.expires = 1s;
    auto first = co_await billing.fetch(100, options);
    CHECK(first.messages.size() == 1);
    CHECK(first.end == js::fetch_end::bytes_used_up);
    const auto second = co_await billing.fetch(100, options);
    CHECK(second.messages.empty());
    CHECK(second.error == js::errc::message_too_large);
    auto alone = co_await billing.next(1s);
    REQUIRE(alone);
    CHECK(alone->payload().size() == large.size());
    auto third = co_await billing.fetch(1, options);
    CHECK(third.messages.size() == 1);
  }());
}

TEST_CASE("[C057] one pull too many is turned away as busy", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto config = billing_consumer();
    config.max_waiting = 4;
    co_await provision(context, config);
    auto billing = context.consumer("ORDERS", "BILLING");
    int busy = 0;
    int served = 0;
    auto fetch_one = [&]() -> awaitable<void> {
      auto result = co_await billing.fetch(1);
      if (result.error == js::errc::too_many_pulls) ++busy;
      served += static_cast<int>(result.messages.size());
      for (auto& m : result.messages) m.ack();
    };
    for (int i = 0; i != 20; ++i) boost::asio::co_spawn(nc.get_executor(), fetch_one, boost::asio::detached);
    co_await until([&] { return busy == 16; });
    co_await publish_numbers(context, "orders.new", 4);
    co_await until([&] { return served == 4; });
    CHECK(busy == 16);
  }());
}

TEST_CASE("arguments out of range are refused before anything is sent", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto billing = context.consumer("ORDERS", "BILLING");
    const auto before = nc.stats().out_messages;
    js::fetch_options options;
    const auto none = co_await cf::as_result(billing.fetch(0, options));
    CHECK(none.error() == js::errc::invalid_option);
    options.idle_heartbeat = 3s;
    const auto heartbeat = co_await cf::as_result(billing.fetch(1, options));
    CHECK(heartbeat.error() == js::errc::invalid_option);
    options.idle_heartbeat = 1s;
    options.no_wait = true;
    const auto both = co_await cf::as_result(billing.fetch(1, options));
    CHECK(both.error() == js::errc::invalid_option);
    const auto no_time = co_await cf::as_result(billing.next(0ms));
    CHECK(no_time.error() == js::errc::invalid_option);
    js::consume_options consume;
    consume.max_messages = 0;
    CHECK_THROWS_AS(billing.consume(consume), cf::system_error);
    consume = {};
    consume.refill_percent = 100;
    CHECK_THROWS_AS(billing.consume(consume), cf::system_error);
    CHECK(nc.stats().out_messages == before);
  }());
}
