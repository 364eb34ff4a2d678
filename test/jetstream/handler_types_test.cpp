// SPDX-License-Identifier: Apache-2.0
// Which functions are taken as handlers: a coroutine would never run where a plain function is called.
#include <concepts>
#include <functional>
#include <type_traits>

#include <boost/asio/awaitable.hpp>

#include <catch2/catch_test_macros.hpp>

#include <compass_fabric/jetstream/jetstream.hpp>

namespace js = compass_fabric::jetstream;
using boost::asio::awaitable;

namespace {

/// True when a flow, its options, a publisher and a context take such a function.
template <class F>
concept consumable = requires(js::pull_consumer consumer, F handler) { consumer.consume(handler); };
template <class F>
concept event_handler = requires(js::consume_options options, F handler) { options.on_event = handler; };
template <class F>
concept outcome_handler = std::constructible_from<js::publisher, js::context, js::publisher_options, F>;
template <class F>
concept api_hook = requires(js::context_options options, F hook) { options.on_api_call = hook; };

using plain = decltype([](js::message) {});
using coroutine = decltype([](js::message) -> awaitable<void> { co_return; });
static_assert(consumable<plain>);
static_assert(consumable<std::function<void(js::message)>>);
static_assert(!consumable<coroutine>);
static_assert(!consumable<std::function<awaitable<void>(js::message)>>);
static_assert(!consumable<awaitable<int> (*)(js::message)>);

static_assert(event_handler<void (*)(const js::consume_event&)>);
static_assert(event_handler<std::nullptr_t>);
static_assert(!event_handler<awaitable<void> (*)(const js::consume_event&)>);

static_assert(outcome_handler<void (*)(const js::publish_outcome&)>);
static_assert(!outcome_handler<awaitable<void> (*)(const js::publish_outcome&)>);

static_assert(api_hook<void (*)(const js::api_call&)>);
static_assert(!api_hook<awaitable<void> (*)(const js::api_call&)>);

}  // namespace

TEST_CASE("an empty handler stays empty, another one is called", "[jetstream]") {
  using handler = js::plain_handler<void(int)>;
  CHECK_FALSE(handler());
  CHECK_FALSE(handler(nullptr));
  CHECK_FALSE(handler(std::function<void(int)>()));
  int sum = 0;
  handler add([&](int value) { sum += value; });
  const handler copy = add;
  const handler moved = std::move(add);
  copy(1);
  moved(2);
  CHECK(sum == 3);
}
