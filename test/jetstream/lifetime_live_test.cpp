// SPDX-License-Identifier: Apache-2.0
// Handles that outlive what they stand on, and operations that outlive their handles.
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <boost/asio/io_context.hpp>

#include <catch2/catch_test_macros.hpp>

#include "jetstream/live.hpp"

namespace asio = boost::asio;
namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

namespace {

/// A program whose handles are destroyed after its io_context.
struct program {
  std::optional<js::message_stream> flow;
  std::optional<js::publisher> out;
  std::optional<asio::io_context> io{std::in_place, 1};
};

}  // namespace

TEST_CASE("[C065] a flow and a publisher may outlive the context", "[jetstream][live]") {
  nats_server server;
  program p;
  auto work = [&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 3);
    p.flow.emplace(context.consumer("ORDERS", "BILLING").consume());
    p.out.emplace(context, js::publisher_options(), js::publish_outcome_handler());
    co_await until([&] { return p.flow->buffered() == 3; });
  };
  run_on(*p.io, work());
  p.io.reset();
  CHECK(p.flow->buffered() == 3);
  p.flow.reset();
  p.out.reset();
}

TEST_CASE("[C065] a flow and a publisher may outlive a context that never ran them", "[jetstream][live]") {
  nats_server server;
  program p;
  auto work = [&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    p.flow.emplace(context.consumer("ORDERS", "BILLING").consume());
    p.out.emplace(context, js::publisher_options(), js::publish_outcome_handler());
  };
  run_on(*p.io, work());
  p.io.reset();
  p.flow.reset();
  p.out.reset();
}

TEST_CASE("[C076] an operation of a context may start when the handle is gone", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    auto context = std::make_unique<js::context>(nc);
    co_await provision(*context);
    const auto orders = orders_stream();
    const auto billing = billing_consumer();
    auto publish = context->publish("orders.new", "x");
    auto account = context->account_info();
    auto stream = context->create_or_update_stream(orders);
    auto streams = context->list_streams();
    auto consumer = context->create_or_update_consumer("ORDERS", billing);
    auto purge = context->purge("ORDERS");
    auto remove = context->delete_consumer("ORDERS", "BILLING");
    context.reset();
    const auto ack = co_await std::move(publish);
    CHECK(ack.sequence == 1);
    const auto info = co_await std::move(account);
    CHECK(info.streams == 1);
    const auto same = co_await std::move(stream);
    CHECK(same.config.name == "ORDERS");
    const auto all = co_await std::move(streams);
    CHECK(all.size() == 1);
    const auto found = co_await std::move(consumer);
    CHECK(found.name == "BILLING");
    const auto purged = co_await std::move(purge);
    CHECK(purged == 1);
    co_await std::move(remove);
  });
}

TEST_CASE("[C076] an operation of a consumer, a flow or a publisher may start when the handle is gone",
          "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 2);
    auto billing = std::make_unique<js::pull_consumer>(context.consumer("ORDERS", "BILLING"));
    auto one = billing->next(5s);
    auto batch = billing->fetch(1);
    auto flow = std::make_unique<js::message_stream>(billing->consume());
    billing.reset();
    auto m = co_await std::move(one);
    REQUIRE(m);
    auto rest = flow->next(5s);
    auto end = flow->stop(js::stop_mode::release);
    flow.reset();
    co_await std::move(end);
    const auto none = co_await std::move(rest);
    CHECK_FALSE(none);
    const auto result = co_await std::move(batch);
    CHECK(result.messages.size() == 1);

    int outcomes = 0;
    auto count = [&](const js::publish_outcome&) { ++outcomes; };
    auto out = std::make_unique<js::publisher>(context, js::publisher_options(), count);
    auto late = out->publish("orders.new", "x");
    auto done = out->wait_all();
    out.reset();
    const auto refused = co_await cf::as_result(std::move(late));
    CHECK(refused.error() == cf::errc::connection_closed);
    co_await std::move(done);
    CHECK(outcomes == 0);
  });
}
