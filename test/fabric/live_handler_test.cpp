// SPDX-License-Identifier: Apache-2.0
// What follows when the function for the fabric's events throws.
#include "fabric/live.hpp"
#include "jetstream/exceptions.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace fabric_live;
using compass_fabric::testing::exceptions_of;
using compass_fabric::testing::thrown_by_user;

TEST_CASE("an event handler that throws does not stop the worker", "[fabric][live]") {
  nats_server server;
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    int reports = 0;
    auto on_event = [&](const fabric_event& e) {
      if (e.kind == fabric_event_kind::attempt_failed && ++reports == 1) throw thrown_by_user();
    };
    event_fabric events(nc, quick(5min), on_event);
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 5);
    tally handled;
    int calls = 0;
    auto handler = [&](const fabric::event& e) {
      if (++calls <= 2) throw std::runtime_error("boom");
      handled(e);
    };
    auto sub = events.subscribe("t", kind::message_posted, handler);
    co_await until([&] { return handled.rows() == 5; });
    co_await sub.stop();
    CHECK(reports == 2);
  });
  CHECK(thrown == 1);
}

TEST_CASE("an event handler that throws does not keep a subscription from starting", "[fabric][live]") {
  nats_server server;
  const int thrown = exceptions_of([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    auto on_event = [&](const fabric_event& e) {
      if (e.kind == fabric_event_kind::overlap) throw thrown_by_user();
    };
    event_fabric events(nc, quick(), on_event);
    co_await events.provision();
    auto one = events.subscribe("t", kind::message_posted, tally());
    co_await one.ready();
    auto all = events.subscribe_kind(kind::message_posted, tally());
    co_await all.ready();
  });
  CHECK(thrown == 1);
}
