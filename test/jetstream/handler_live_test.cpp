// SPDX-License-Identifier: Apache-2.0
// What follows when a function of the user throws inside the library.

#include <catch2/catch_test_macros.hpp>

#include "jetstream/exceptions.hpp"
#include "jetstream/live.hpp"

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

TEST_CASE("a message whose handler throws counts as taken: the flow goes on", "[jetstream][live]") {
  nats_server server;
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    co_await publish_numbers(context, "orders.new", 5);
    int handled = 0;
    auto handler = [&](js::message m) {
      m.ack();
      if (++handled <= 2) throw thrown_by_user();
    };
    js::consume_options options;
    options.max_messages = 1;
    auto flow = context.consumer("ORDERS", "BILLING").consume(handler, options);
    co_await until([&] { return handled == 5; });
  });
  CHECK(thrown == 2);
}
