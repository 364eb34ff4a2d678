// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/fault_proxy.hpp>
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

#include <optional>
#include <set>

using namespace fabric_live;
using testing_clock = std::chrono::steady_clock;

namespace {

/// Publishes and consumes while the link has troubles, and keeps count of what was acknowledged and what was handled.
struct traffic {
  std::set<std::string> acked;
  std::set<std::string> handled;
  bool publishing = true;
  bool publisher_ended = false;
  std::optional<testing_clock::time_point> reconnected;
  std::optional<testing_clock::duration> resumed_after;

  void handle(const fabric::event& e) {
    handled.insert(e.ref.row_id);
    if (reconnected && !resumed_after) resumed_after = testing_clock::now() - *reconnected;
  }

  awaitable<void> publish(event_fabric events) {
    for (int row = 0; publishing; ++row) {
      const auto change = ref("t", kind::message_posted, std::to_string(row));
      auto attempt = events.publish(change);
      const auto outcome = co_await compass_fabric::as_result(std::move(attempt));
      if (outcome) acked.insert(change.row_id);
    }
    publisher_ended = true;
  }
};

/// Runs traffic, does `trouble` in the middle of it, and checks that nothing acknowledged is lost.
template <class Trouble>
awaitable<void> survive(std::string url, Trouble trouble) {
  auto publisher = co_await compass_fabric::connect(url);
  auto consumer = co_await compass_fabric::connect(url);
  event_fabric out(publisher), in(consumer);
  co_await out.provision();
  traffic t;
  auto watch = consumer.on_event([&](const compass_fabric::connection_event& e) {
    if (e.kind == compass_fabric::event_kind::reconnected) t.reconnected = testing_clock::now();
  });
  auto sub = in.subscribe("t", kind::message_posted, [&](const fabric::event& e) { t.handle(e); });
  co_await sub.ready();
  boost::asio::co_spawn(publisher.get_executor(), t.publish(out), boost::asio::detached);
  co_await until([&] { return t.handled.size() >= 200; });
  co_await trouble();
  co_await until([&] { return t.reconnected.has_value(); });
  const auto before = t.acked.size();
  co_await until([&] { return t.acked.size() >= before + 200 && t.resumed_after; });
  t.publishing = false;
  co_await until([&] { return t.publisher_ended; });
  co_await until([&] { return std::includes(t.handled.begin(), t.handled.end(), t.acked.begin(), t.acked.end()); },
                 40s);
  CHECK(t.resumed_after.value_or(1h) < 1s);
  CHECK(sub.stats().parked == 0);
}

}  // namespace

TEST_CASE("an outage of five seconds loses no acknowledged reference and consumption resumes with the link",
          "[fabric][live]") {
  nats_server server;
  compass_fabric::testing::fault_proxy proxy(server.port());
  run(
      [&]() -> awaitable<void> {
        auto cut = [&]() -> awaitable<void> {
          proxy.refuse();
          proxy.reset();
          co_await pause(5s);
          proxy.accept();
        };
        co_await survive(proxy.url(), cut);
      },
      std::chrono::seconds(90));
}

TEST_CASE("a restart of the server loses no acknowledged reference and consumption resumes with it", "[fabric][live]") {
  nats_server server;
  run(
      [&]() -> awaitable<void> {
        auto restart = [&]() -> awaitable<void> {
          server.kill();
          server.restart();
          co_return;
        };
        co_await survive(server.url(), restart);
      },
      std::chrono::seconds(90));
}
