// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/cluster.hpp>
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace fabric_live;

TEST_CASE("[000-50][000-72][D9] in a cluster the stream and its consumers have three replicas",
          "[fabric][live][cluster]") {
  compass_fabric::testing::cluster nodes;
  run(
      [&]() -> awaitable<void> {
        auto nc = co_await compass_fabric::connect(nodes.node(0).url());
        event_log log;
        event_fabric events(nc, {}, log.handler());
        const auto report = co_await events.provision();
        CHECK(report.stream.config.replicas == 3);
        CHECK(!report.fell_back);
        tally handled;
        auto sub = events.subscribe("t", kind::message_posted, std::ref(handled));
        co_await sub.ready();
        co_await publish_rows(events, "t", kind::message_posted, 50);
        // The consumer may change its leader while the cluster settles.
        co_await until([&] { return handled.rows() == 50; }, 60s);
        jetstream::context js(nc);
        const auto info = co_await js.consumer_info("COMPASS_COMMS", sub.durable());
        REQUIRE(info.cluster);
        CHECK(info.cluster->replicas.size() == 2);
        CHECK(log.count(fabric_event_kind::replicas_fallback) == 0);
      },
      std::chrono::seconds(120));
}

TEST_CASE("[000-50] three replicas on a single server are refused, automatic asks for one", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    fabric::config three;
    three.replicas = fabric::replica_count::three;
    event_fabric wanting(nc, three);
    auto provisioning = wanting.provision();
    const auto outcome = co_await compass_fabric::as_result(std::move(provisioning));
    CHECK(outcome.has_error());
    event_fabric events(nc);
    const auto report = co_await events.provision();
    CHECK(report.stream.config.replicas == 1);
  });
}
