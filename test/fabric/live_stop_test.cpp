// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/fault_proxy.hpp>
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <stdexcept>

using namespace fabric_live;
using testing_clock = std::chrono::steady_clock;

TEST_CASE("[C065] a stop lets the running handler finish and gives the rest to a peer at once", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto one = co_await compass_fabric::connect(server.url());
    auto two = co_await compass_fabric::connect(server.url());
    event_fabric first(one, quick(5min)), second(two, quick(5min));
    co_await first.provision();
    co_await publish_rows(first, "t", kind::message_posted, 21);
    tally slow, rest;
    bool started = false, all_in_hand = false;
    auto stopping = first.subscribe("t", kind::message_posted, [&](const fabric::event& e) -> awaitable<void> {
      started = true;
      co_await until([&] { return all_in_hand; });
      co_await pause(200ms);  // still at work when the stop begins
      slow(e);
    });
    co_await until([&] { return started && stopping.stats().in_hand == 21; });
    all_in_hand = true;
    const auto begin = testing_clock::now();
    co_await stopping.stop();
    CHECK(slow.total() == 1);
    CHECK(stopping.stats().handled == 1);
    co_await until([&] { return stopping.stats().handed_back == 20; });
    const auto reason = co_await stopping.closed();
    CHECK(reason == compass_fabric::error_code());
    auto peer = second.subscribe("t", kind::message_posted, std::ref(rest));
    co_await until([&] { return rest.rows() == 20; });
    CHECK(testing_clock::now() - begin < 10s);
    CHECK(rest.total() == 20);
  });
}

TEST_CASE("[C065] a handler that outlasts the stop's deadline is cancelled and its event handed back",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, quick(5min));
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 1);
    bool started = false;
    auto sub = events.subscribe("t", kind::message_posted, [&](const fabric::event&) -> awaitable<void> {
      started = true;
      co_await pause(10min);
    });
    co_await until([&] { return started; });
    co_await sub.stop(50ms);
    co_await until([&] { return sub.stats().handed_back == 1; });
    CHECK(sub.stats().failed == 0);
    tally peer;
    auto again = events.subscribe("t", kind::message_posted, std::ref(peer));
    co_await until([&] { return peer.total() == 1; });
  });
}

TEST_CASE("a subscription may be destroyed in every state, also inside its own handler", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, quick(5min));
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 10);
    {
      auto unborn = events.subscribe("t", kind::message_posted, tally());
    }
    {
      auto ready = events.subscribe("t", kind::message_posted, tally());
      co_await ready.ready();
    }
    auto suicidal = std::make_unique<fabric::event_subscription>();
    bool ran = false;
    *suicidal = events.subscribe("t", kind::message_posted, [&](const fabric::event&) {
      suicidal.reset();
      ran = true;
    });
    co_await until([&] { return ran; });
    CHECK(!suicidal);
    tally rest;
    auto last = events.subscribe("t", kind::message_posted, std::ref(rest));
    co_await until([&] { return rest.rows() >= 1 && last.stats().in_hand == 0; });
  });
}

TEST_CASE("[D1] an outage that handlers report as transient spends no attempt and parks nothing", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, quick(600ms), log.handler());
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 50);
    bool store_up = false;
    std::map<std::string, std::uint64_t> attempt_of;
    auto sub = events.subscribe("t", kind::message_posted, [&](const fabric::event& e) {
      if (!store_up) throw fabric::transient_error("store is down");
      attempt_of[e.ref.row_id] = e.num_delivered.value();
    });
    co_await until([&] { return sub.stats().transient >= 4; });  // longer than the ack wait
    store_up = true;
    co_await until([&] { return attempt_of.size() == 50; });
    for (const auto& [row, attempt] : attempt_of) CHECK(attempt == 1);
    CHECK(sub.stats().parked == 0);
    CHECK(sub.stats().failed == 0);
    CHECK(log.count(fabric_event_kind::resumed) == 1);
  });
}

TEST_CASE("[C058] paced retries let an event survive an outage longer than immediate ones would", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    fabric::delivery_options paced;
    paced.retry.failure_delays = {200ms, 400ms, 800ms};
    const auto begin = testing_clock::now();
    std::vector<testing_clock::time_point> runs;
    auto sub = events.subscribe(
        "t", kind::message_posted,
        [&](const fabric::event&) {
          runs.push_back(testing_clock::now());
          if (testing_clock::now() - begin < 1s) throw std::runtime_error("down");
        },
        paced);
    co_await publish_rows(events, "t", kind::message_posted, 1);
    co_await until([&] { return sub.stats().handled == 1; });
    CHECK(sub.stats().parked == 0);
    REQUIRE(runs.size() >= 3);
    CHECK(runs[1] - runs[0] >= 200ms);
    CHECK(runs[2] - runs[1] >= 400ms);
  });
}

TEST_CASE("[C063] events whose retry is delayed do not hold up the others", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    fabric::delivery_options paced;
    paced.retry.failure_delays = {60s};
    tally handled;
    auto sub = events.subscribe_kind(
        kind::message_posted,
        [&](const fabric::event& e) {
          if (e.ref.tenant == "bad") throw std::runtime_error("poison");
          handled(e);
        },
        paced);
    co_await publish_rows(events, "bad", kind::message_posted, 10);
    co_await publish_rows(events, "good", kind::message_posted, 100);
    co_await until([&] { return handled.rows() == 100; }, 5s);
    CHECK(sub.stats().failed == 10);
  });
}
