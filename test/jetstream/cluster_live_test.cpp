// SPDX-License-Identifier: Apache-2.0
// Publishing into a replicated stream whose leader changes.
#include <compass_fabric/testing/cluster.hpp>
#include "jetstream/live.hpp"

#include <catch2/catch_test_macros.hpp>

#include <map>
#include <set>

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;

namespace {

/// Publishes numbered messages with ids, one after another, and keeps the place of each.
struct numbered_publisher {
  explicit numbered_publisher(js::context js) : context(std::move(js)) {}

  js::context context;
  bool going = true;
  bool ended = false;
  std::map<std::uint64_t, int> places;
  std::string failure;

  awaitable<void> publish_all() {
    for (int number = 0; going && failure.empty(); ++number) {
      const auto text = std::to_string(number);
      js::publish_options options;
      options.message_id = text;
      options.retry.budget = 30s;
      auto attempt = context.publish("orders.new", text, options);
      const auto ack = co_await cf::as_result(std::move(attempt));
      if (ack) {
        places[ack->sequence] = number;
      } else {
        failure = "message " + text + ": " + ack.error().message();
      }
    }
    ended = true;
  }
};

/// The name of the server that leads ORDERS; empty while none does.
awaitable<std::string> stream_leader(js::context context) {
  auto question = context.stream_info("ORDERS");
  const auto info = co_await cf::as_result(std::move(question));
  co_return info && info->cluster ? info->cluster->leader : std::string();
}

awaitable<std::string> await_leader(js::context context) {
  const deadline end(30s);
  while (!end.passed()) {
    auto leader = co_await stream_leader(context);
    if (!leader.empty()) co_return leader;
  }
  throw std::runtime_error("ORDERS has no leader");
}

awaitable<void> step_down(cf::connection nc, js::context context, numbered_publisher& traffic) {
  co_await await_leader(context);
  co_await nc.request("$JS.API.STREAM.LEADER.STEPDOWN.ORDERS", "");
  const auto before = traffic.places.size();
  co_await until([&] { return traffic.places.size() > before + 50 || !traffic.failure.empty(); }, 40s);
}

/// Every acknowledged message is at its place, each number once.
awaitable<void> check_stored(js::context context, const numbered_publisher& traffic) {
  std::set<std::string> numbers;
  const auto info = co_await context.stream_info("ORDERS");
  CHECK(info.state.messages == traffic.places.size());
  for (const auto& [sequence, number] : traffic.places) {
    const auto stored = co_await context.get_message("ORDERS", sequence);
    if (stored.payload != std::to_string(number)) FAIL_CHECK("sequence " << sequence << " holds " << stored.payload);
    if (!numbers.insert(stored.payload).second) FAIL_CHECK(stored.payload << " is stored twice");
  }
}

}  // namespace

TEST_CASE("[C043] leaders stepping down and one killed cost no acknowledged message and no double one",
          "[jetstream][live][cluster]") {
  cluster nodes;
  run(
      [&]() -> awaitable<void> {
        auto nc = co_await connect_fast(nodes.urls());
        auto observer = co_await connect_fast(nodes.urls());
        js::context context(nc), view(observer);
        auto config = orders_stream();
        config.replicas = 3;
        co_await context.create_stream(config);
        numbered_publisher traffic(context);
        boost::asio::co_spawn(nc.get_executor(), traffic.publish_all(), boost::asio::detached);
        co_await until([&] { return traffic.places.size() > 50; });
        for (int round = 0; round != 3; ++round) co_await step_down(observer, view, traffic);
        const auto leader = co_await await_leader(view);
        for (std::size_t n = 0; n != cluster::size; ++n) {
          if (nodes.node(n).name() == leader) nodes.node(n).kill();
        }
        const auto before = traffic.places.size();
        co_await until([&] { return traffic.places.size() > before + 50 || !traffic.failure.empty(); }, 60s);
        traffic.going = false;
        co_await until([&] { return traffic.ended; }, 40s);
        CHECK(traffic.failure == "");
        co_await await_leader(view);
        co_await check_stored(view, traffic);
      },
      180s);
}
