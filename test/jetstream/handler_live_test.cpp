// SPDX-License-Identifier: Apache-2.0
// What follows when a function of the user throws inside the library.

#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include <compass_fabric/testing/fault_proxy.hpp>
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

TEST_CASE("an event handler that throws does not stop the flow", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(proxy.url());
    auto direct = co_await cf::connect(server.url());
    js::context context(nc);
    js::context other(direct);
    co_await provision(other);
    int lost = 0;
    js::consume_options options;
    options.expires = 400ms;
    options.idle_heartbeat = 100ms;
    options.on_event = [&](const js::consume_event& e) {
      if (e.kind == js::consume_event_kind::pull_lost && ++lost == 1) throw thrown_by_user();
    };
    auto flow = context.consumer("ORDERS", "BILLING").consume(options);
    co_await until_waiting(other);
    proxy.rewrite(direction::to_client, [](std::string_view) { return std::string(); });
    co_await until([&] { return lost == 2; });
    proxy.rewrite(direction::to_client, {});
    proxy.cut();
    co_await publish_numbers(other, "orders.new", 1);
    const auto m = co_await flow.next(5s);
    CHECK(m);
    co_await flow.stop(js::stop_mode::drain);
  });
  CHECK(thrown == 1);
}

TEST_CASE("an outcome handler that throws does not stop the publisher", "[jetstream][live]") {
  nats_server server;
  fault_proxy proxy(server.port());
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await connect_fast(proxy.url());
    js::context context(nc);
    co_await provision(context);
    proxy.blackhole(direction::to_client);
    int unknown = 0;
    auto handler = [&](const js::publish_outcome& o) {
      if (o.error == js::errc::ack_unknown && ++unknown == 1) throw thrown_by_user();
    };
    js::publisher_options options;
    options.retry.ack_timeout = 100ms;
    js::publisher out(context, options, handler);
    for (int i = 0; i != 3; ++i) co_await out.publish("orders.new", "x");
    co_await out.wait_all();
    CHECK(unknown == 3);
  });
  CHECK(thrown == 1);
}

TEST_CASE("an outcome handler may throw while its publisher goes away", "[jetstream][live]") {
  nats_server server;
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    auto handler = [&](const js::publish_outcome&) { throw thrown_by_user(); };
    {
      js::publisher out(context, {}, handler);
      for (int i = 0; i != 3; ++i) CHECK_FALSE(out.try_publish("orders.new", "x"));
    }
    co_await nc.flush();
  });
  CHECK(thrown == 3);
}

TEST_CASE("a hook for API requests that throws does not fail the request", "[jetstream][live]") {
  nats_server server;
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context_options options;
    int calls = 0;
    options.on_api_call = [&](const js::api_call&) {
      ++calls;
      throw thrown_by_user();
    };
    js::context context(nc, options);
    co_await provision(context);
    const auto missing = co_await cf::as_result(context.stream_info("OTHER"));
    CHECK(missing.error() == js::errc::stream_not_found);
    co_await nc.flush();
    CHECK(calls == 3);
  });
  CHECK(thrown == 3);
}
