// SPDX-License-Identifier: Apache-2.0
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace fabric_live;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("[000-12][000-14][000-15] one subscription serves one kind of every tenant", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    auto observer = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    tap stream_changes(observer, "$JS.API.STREAM.UPDATE.>");
    co_await observer.flush();
    tally handled;
    auto sub = events.subscribe_kind(kind::message_posted, std::ref(handled));
    co_await sub.ready();
    for (const auto tenant : {"a", "b", "c", "d", "e"}) {
      co_await publish_rows(events, tenant, kind::message_posted, 3);
      co_await publish_rows(events, tenant, kind::message_updated, 3);
    }
    co_await until([&] { return handled.rows() == 15; });
    CHECK(handled.total() == 15);
    co_await observer.flush();
    CHECK(stream_changes.size() == 0);
    jetstream::context js(nc);
    const auto consumers = co_await js.list_consumers("COMPASS_COMMS");
    REQUIRE(consumers.size() == 1);
    CHECK(consumers[0].name == fabric::durable_name("compass.*.comms.message_posted"));
    CHECK(consumers[0].config.filter_subject == "compass.*.comms.message_posted");
  });
}

TEST_CASE("[000-60][000-64][000-65][000-66][D17] a concrete subscription has one shared durable", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto one = co_await compass_fabric::connect(server.url());
    auto two = co_await compass_fabric::connect(server.url());
    event_fabric first(one), second(two);
    co_await first.provision();
    tally handled;
    auto a = first.subscribe("tenant-a", kind::message_posted, std::ref(handled));
    auto b = second.subscribe("tenant-a", kind::message_posted, std::ref(handled));
    co_await a.ready();
    co_await b.ready();
    co_await publish_rows(first, "tenant-a", kind::message_posted, 5);
    co_await publish_rows(first, "tenant-b", kind::message_posted, 5);
    co_await publish_rows(first, "tenant-a", kind::channel_changed, 5);
    co_await until([&] { return handled.rows() == 5; });
    jetstream::context js(one);
    const auto consumers = co_await js.list_consumers("COMPASS_COMMS");
    REQUIRE(consumers.size() == 1);
    const auto& config = consumers[0].config;
    CHECK(consumers[0].name == "comms-f48b30590555bc3c1a67cfe133311032c5d8d7115e7d3b70fc89ae6156e25211");
    CHECK(config.durable);
    CHECK_THAT(config.description, ContainsSubstring("compass.tenant-a.comms.message_posted"));
    CHECK(config.filter_subject == "compass.tenant-a.comms.message_posted");
    CHECK(config.ack_policy == jetstream::ack_policy::explicit_ack);
    CHECK(config.deliver_policy == jetstream::deliver_policy::all);
    CHECK(config.ack_wait == 30s);
    CHECK(config.max_deliver == 5);
    CHECK(handled.total() == 5);
  });
}

TEST_CASE("[000-16] each event is claimed by exactly one of the processes that share a subscription",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto one = co_await compass_fabric::connect(server.url());
    auto two = co_await compass_fabric::connect(server.url());
    event_fabric first(one), second(two);
    co_await first.provision();
    tally left, right;
    auto a = first.subscribe_kind(kind::message_posted, std::ref(left));
    auto b = second.subscribe_kind(kind::message_posted, std::ref(right));
    co_await a.ready();
    co_await b.ready();
    co_await publish_rows(first, "t", kind::message_posted, 400);
    co_await until([&] { return left.rows() + right.rows() == 400; });
    CHECK(left.total() + right.total() == 400);
    for (const auto& [row, runs] : left.all()) CHECK(right.runs(row) == 0);
  });
}

TEST_CASE("[000-17][000-18] a wildcard and a concrete subscription each get the event, and that is reported",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, {}, log.handler());
    co_await events.provision();
    tally concrete, wildcard;
    auto a = events.subscribe("t", kind::message_posted, std::ref(concrete));
    auto other = events.subscribe("t", kind::channel_changed, std::ref(concrete));
    co_await a.ready();
    co_await other.ready();
    auto b = events.subscribe_kind(kind::message_posted, std::ref(wildcard));
    co_await b.ready();
    co_await publish_rows(events, "t", kind::message_posted, 50);
    co_await until([&] { return concrete.rows() == 50 && wildcard.rows() == 50; });
    CHECK(concrete.total() == 50);
    CHECK(wildcard.total() == 50);
    CHECK(log.count(fabric_event_kind::overlap) == 1);
    CHECK(log.last(fabric_event_kind::overlap).subject == "compass.t.comms.message_posted");
    const std::vector<std::string> subjects{"compass.t.comms.message_posted"};
    const auto found = co_await events.concrete_consumers(kind::message_posted);
    CHECK(found == subjects);
  });
}

TEST_CASE("[000-19] a concrete subscription refuses a wildcard before any request", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    const auto before = nc.stats().out_bytes;
    for (const auto tenant : {"*", ">", "a.b", ""}) {
      CHECK_THROWS_AS(events.subscribe(tenant, kind::message_posted, tally()), compass_fabric::system_error);
    }
    fabric::delivery_options none;
    none.max_in_flight = 0;
    CHECK_THROWS_AS(events.subscribe("a", kind::message_posted, tally(), none), compass_fabric::system_error);
    CHECK(nc.stats().out_bytes == before);
    co_return;
  });
}

TEST_CASE("[000-62] tenants that differ in a separator look-alike have consumers of their own", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    tally underscore, dash;
    auto a = events.subscribe("a_b", kind::message_posted, std::ref(underscore));
    auto b = events.subscribe("a-b", kind::message_posted, std::ref(dash));
    co_await a.ready();
    co_await b.ready();
    CHECK(a.durable() != b.durable());
    co_await publish_rows(events, "a_b", kind::message_posted, 4);
    co_await publish_rows(events, "a-b", kind::message_posted, 3);
    co_await until([&] { return underscore.rows() == 4 && dash.rows() == 3; });
    CHECK(underscore.total() == 4);
    CHECK(dash.total() == 3);
  });
}

TEST_CASE("[000-38] an id in UTF-8 travels unchanged", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    std::vector<event_ref> got;
    auto sub = events.subscribe("mieter-\xc3\xa4", kind::topic_upserted,
                                [&](const fabric::event& e) { got.push_back(e.ref); });
    const auto sent = ref("mieter-\xc3\xa4", kind::topic_upserted, "\xe2\x82\xac \"quoted\"\n");
    co_await events.publish(sent);
    co_await until([&] { return got.size() == 1; });
    CHECK(got[0] == sent);
  });
}

TEST_CASE("[000-63] a restart resumes instead of replaying", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    tally before, after;
    {
      auto nc = co_await compass_fabric::connect(server.url());
      event_fabric events(nc);
      co_await events.provision();
      co_await publish_rows(events, "t", kind::message_posted, 40);
      fabric::event_subscription sub;
      const auto half = [&](const fabric::event& e) -> awaitable<void> {
        before(e);
        if (before.rows() == 20) co_await pause(10min);  // the stop cuts this short: not handled
      };
      sub = events.subscribe("t", kind::message_posted, half);
      co_await until([&] { return before.rows() == 20; });
      co_await sub.stop(0ms);
      nc.close();
    }
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    auto sub = events.subscribe("t", kind::message_posted, std::ref(after));
    co_await until([&] { return after.rows() == 21; });
    CHECK(after.total() == 21);
    for (const auto& [row, runs] : before.all()) CHECK(after.runs(row) == (row == "t/19" ? 1 : 0));
  });
}

TEST_CASE("a subscription without its stream says so when it starts", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    auto sub = events.subscribe("t", kind::message_posted, tally());
    auto starting = sub.ready();
    const auto started = co_await compass_fabric::as_result(std::move(starting));
    CHECK(started.error() == jetstream::errc::stream_not_found);
    const auto reason = co_await sub.closed();
    CHECK(reason == jetstream::errc::stream_not_found);
  });
}

TEST_CASE("a deleted consumer is made anew and events go on", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, {}, log.handler());
    co_await events.provision();
    tally handled;
    auto sub = events.subscribe("t", kind::message_posted, std::ref(handled));
    co_await sub.ready();
    co_await publish_rows(events, "t", kind::message_posted, 1);
    co_await until([&] { return handled.rows() == 1; });
    jetstream::context js(nc);
    co_await js.delete_consumer("COMPASS_COMMS", sub.durable());
    co_await until([&] { return log.count(fabric_event_kind::consumer_recreated) >= 1; });
    const auto later = ref("t", kind::message_posted, "later");
    co_await events.publish(later);
    co_await until([&] { return handled.runs("t/later") == 1; });
  });
}

TEST_CASE("[000-71] another process's config for the shared consumer is reported as drift", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, {}, log.handler());
    co_await events.provision();
    fabric::delivery_options watchful;
    watchful.drift_interval = 50ms;
    auto sub = events.subscribe("t", kind::message_posted, tally(), watchful);
    co_await sub.ready();
    CHECK(log.count(fabric_event_kind::drift) == 0);
    fabric::config other;
    other.max_deliver = 7;
    event_fabric differing(nc, other);
    auto careful = watchful;
    careful.mode = fabric::topology_mode::verify;
    auto refused = differing.subscribe("t", kind::message_posted, tally(), careful);
    auto starting = refused.ready();
    const auto started = co_await compass_fabric::as_result(std::move(starting));
    CHECK(started.error() == fabric::errc::topology_mismatch);
    auto second = differing.subscribe("t", kind::message_posted, tally());
    co_await second.ready();
    co_await until([&] { return log.count(fabric_event_kind::drift) == 1; });
    CHECK_THAT(log.last(fabric_event_kind::drift).text, ContainsSubstring("max_deliver is 7, declared 5"));
  });
}
