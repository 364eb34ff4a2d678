// SPDX-License-Identifier: Apache-2.0
// Time-outs at the edge of what a duration can hold.
#include <optional>

#include <catch2/catch_test_macros.hpp>

#include "jetstream/live.hpp"

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

namespace {

constexpr auto forever = std::chrono::milliseconds::max();

}  // namespace

TEST_CASE("[C086] without a limit fetch, next and a flow wait until a message comes", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    auto billing = context.consumer("ORDERS", "BILLING");
    int taken = 0;
    auto take = [&]() -> awaitable<void> {
      auto m = co_await billing.next(forever);
      REQUIRE(m);
      m->ack();
      ++taken;
    };
    boost::asio::co_spawn(nc.get_executor(), take, boost::asio::detached);
    co_await until_waiting(context);
    co_await publish_numbers(context, "orders.new", 1);
    co_await until([&] { return taken == 1; });

    js::consume_options options;
    options.expires = forever;
    auto flow = billing.consume(options);
    auto receive = [&]() -> awaitable<void> {
      auto m = co_await flow.next(forever);
      if (m) ++taken;
    };
    boost::asio::co_spawn(nc.get_executor(), receive, boost::asio::detached);
    co_await until_waiting(context);
    co_await publish_numbers(context, "orders.new", 1);
    co_await until([&] { return taken == 2; });
    co_await flow.stop(js::stop_mode::drain, forever);
  });
}

TEST_CASE("[C086] without a limit a publish and a publisher wait for their acknowledgement", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context_options slow;
    slow.timeout = forever;
    js::context context(nc, slow);
    co_await provision(context);
    js::publish_options patient;
    patient.retry.ack_timeout = forever;
    patient.retry.budget = forever;
    const auto ack = co_await context.publish("orders.new", "x", patient);
    CHECK(ack.sequence == 1);
    int stored = 0;
    auto count = [&](const js::publish_outcome& o) { stored += o.error ? 0 : 1; };
    js::publisher_options options;
    options.retry = patient.retry;
    js::publisher out(context, options, count);
    for (int i = 0; i != 10; ++i) co_await out.publish("orders.new", "x");
    co_await out.wait_all();
    CHECK(stored == 10);
  });
}

TEST_CASE("a heartbeat beyond its range is refused", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto billing = context.consumer("ORDERS", "BILLING");
    js::fetch_options fetch;
    js::consume_options consume;
    for (const auto beyond : {forever, forever / 2, milliseconds(25h)}) {
      fetch.expires = consume.expires = forever;
      fetch.idle_heartbeat = consume.idle_heartbeat = beyond;
      const auto refused = co_await cf::as_result(billing.fetch(1, fetch));
      CHECK(refused.error() == js::errc::invalid_option);
      CHECK_THROWS_AS(billing.consume(consume), cf::system_error);
    }
  });
}
