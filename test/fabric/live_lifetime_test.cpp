// SPDX-License-Identifier: Apache-2.0
// Handles of the fabric that outlive what they stand on, and time-outs at the edge of what a duration can hold.
#include "fabric/live.hpp"

#include <boost/asio/io_context.hpp>

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

using namespace fabric_live;

namespace {

/// A program whose subscription is destroyed after its io_context.
struct program {
  std::optional<fabric::event_subscription> sub;
  std::optional<boost::asio::io_context> io{std::in_place, 1};
};

}  // namespace

TEST_CASE("[C065] a subscription may outlive the context, whatever it was doing", "[fabric][live]") {
  nats_server server;
  for (const bool running : {false, true}) {
    program p;
    bool started = false;
    auto work = [&]() -> awaitable<void> {
      auto nc = co_await compass_fabric::connect(server.url());
      event_fabric events(nc, quick());
      co_await events.provision();
      co_await publish_rows(events, "t", kind::message_posted, 3);
      auto handler = [&](const fabric::event&) -> awaitable<void> {
        started = true;
        co_await pause(10min);
      };
      p.sub.emplace(events.subscribe("t", kind::message_posted, handler));
      if (running) co_await until([&] { return started; });
    };
    compass_fabric::testing::run_on(*p.io, work());
    p.io.reset();
    CHECK(started == running);
    p.sub.reset();
  }
}

TEST_CASE("[C086] a subscription may renew, look and stop without a limit", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, quick());
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 1);
    fabric::delivery_options options;
    options.progress_cap = std::chrono::milliseconds::max();
    options.drift_interval = std::chrono::milliseconds::max();
    tally handled;
    auto sub = events.subscribe("t", kind::message_posted, std::ref(handled), options);
    co_await until([&] { return handled.total() == 1; });
    co_await sub.stop(std::chrono::milliseconds::max());
    CHECK(sub.stats().handled == 1);
  });
}

TEST_CASE("[C076] an operation of the fabric may start when its handle is gone", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    auto events = std::make_unique<event_fabric>(nc, quick());
    const auto one = ref("t", kind::message_posted, "1");
    const std::vector<event_ref> more{ref("t", kind::message_posted, "2"), ref("t", kind::message_posted, "3")};
    auto provision = events->provision();
    auto publish = events->publish(one);
    auto publish_all = events->publish_all(more);
    tally handled;
    events.reset();
    co_await std::move(provision);
    const auto ack = co_await std::move(publish);
    CHECK(ack.sequence == 1);
    const auto outcomes = co_await std::move(publish_all);
    CHECK(outcomes.size() == 2);
    event_fabric others(nc, quick());
    auto sub =
        std::make_unique<fabric::event_subscription>(others.subscribe("t", kind::message_posted, std::ref(handled)));
    co_await until([&] { return handled.rows() == 3; });
    auto ready = sub->ready();
    auto stop = sub->stop();
    auto closed = sub->closed();
    co_await std::move(ready);
    sub.reset();
    co_await std::move(stop);
    const auto reason = co_await std::move(closed);
    CHECK(reason == compass_fabric::error_code());
  });
}
