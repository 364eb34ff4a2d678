// SPDX-License-Identifier: Apache-2.0
#include "fabric/live.hpp"
#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>
#include <stdexcept>
#include <string>

using namespace fabric_live;
using Catch::Matchers::ContainsSubstring;

namespace {

void boom(const fabric::event&) { throw std::runtime_error("boom\r\nNats-Msg-Id: x"); }

fabric::config budget_of_one(std::chrono::milliseconds ack_wait = 30s) {
  fabric::config settings;
  settings.max_deliver = 1;
  settings.ack_wait = ack_wait;
  return settings;
}

}  // namespace

TEST_CASE("[000-81][000-82][000-84][000-85] a parked event is a dead letter with its subject and reason",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, budget_of_one(), log.handler());
    co_await events.provision();
    tap letters(nc, fabric::dlq_subject);
    tap terms(nc, "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>");
    auto sub = events.subscribe_kind(kind::topic_upserted, boom);
    const auto poison = ref("tenant-a", kind::topic_upserted, "7");
    co_await events.publish(poison);
    co_await until([&] { return letters.size() == 1 && terms.size() == 1; });
    CHECK(letters.seen()[0].payload() == encode(poison));
    CHECK(letters.header(0, "Compass-Original-Subject") == "compass.tenant-a.comms.topic_upserted");
    CHECK(letters.header(0, "Compass-Park-Reason") == "boom  Nats-Msg-Id: x");
    CHECK(!letters.seen()[0].headers().get("Nats-Msg-Id"));
    const std::string advisory(terms.seen()[0].payload());
    CHECK(compass_fabric::testing::json_string(advisory, "/reason") == "boom  Nats-Msg-Id: x");
    co_await until([&] { return log.count(fabric_event_kind::parked) == 1; });
    jetstream::context js(nc);
    const auto streams = co_await js.stream_names(fabric::dlq_subject);
    CHECK(streams.empty());
    const auto info = co_await js.consumer_info("COMPASS_COMMS", sub.durable());
    CHECK(info.ack_pending == 0);
  });
}

TEST_CASE("[000-83] an event is not delivered again though its dead letter was refused, and both are reported",
          "[fabric][live]") {
  compass_fabric::testing::nats_server_options options;
  options.extra_config = R"(
    authorization { users: [
      { user: limited, password: p, permissions: { publish: { deny: ["compass.dlq.>"] } } },
      { user: full, password: p }
    ] })";
  nats_server server(options);
  run([&]() -> awaitable<void> {
    compass_fabric::connect_options as_limited;
    as_limited.servers = {server.url()};
    as_limited.user = "limited";
    as_limited.password = "p";
    auto nc = co_await compass_fabric::connect(as_limited);
    event_log log;
    event_fabric events(nc, budget_of_one(), log.handler());
    co_await events.provision();
    tally runs;
    auto sub = events.subscribe("t", kind::topic_upserted, [&](const fabric::event& e) {
      runs(e);
      throw std::runtime_error("boom");
    });
    co_await publish_rows(events, "t", kind::topic_upserted, 1);
    co_await until([&] { return log.count(fabric_event_kind::dead_letter_failed) == 1; });
    const auto report = log.last(fabric_event_kind::dead_letter_failed);
    CHECK(report.error == compass_fabric::errc::permission_violation);
    CHECK(report.text == "boom");
    jetstream::context js(nc);
    const auto info = co_await js.consumer_info("COMPASS_COMMS", sub.durable());
    CHECK(info.ack_pending == 0);
    CHECK(info.ack_floor.stream_sequence == 1);
    CHECK(runs.total() == 1);
    co_await until([&] { return sub.stats().dead_letter_failed == 1; });
    CHECK(sub.stats().parked == 0);
  });
}

TEST_CASE("[000-86] nobody listens to the dead letters and nothing waits for it", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    tally handled;
    auto sub = events.subscribe("t", kind::topic_upserted, [&](const fabric::event& e) {
      if (e.ref.row_id == "3") throw std::runtime_error("poison");
      handled(e);
    });
    co_await publish_rows(events, "t", kind::topic_upserted, 20);
    co_await until([&] { return handled.rows() == 19 && sub.stats().parked == 1; });
    CHECK(handled.total() == 19);
  });
}

TEST_CASE("[000-79] attempts are counted over processes and a restart of the server", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto observer = co_await compass_fabric::connect(server.url());
    tap letters(observer, fabric::dlq_subject);
    std::vector<std::uint64_t> attempts;
    // Each process fails twice and then goes away with the event in hand.
    for (int process = 0; process != 3; ++process) {
      auto nc = co_await compass_fabric::connect(server.url());
      event_fabric events(nc, quick());  // a server that restarts forgets hand-backs: the ack wait brings them again
      if (process == 0) co_await events.provision();
      if (process == 0) co_await publish_rows(events, "t", kind::topic_upserted, 1);
      const auto before = attempts.size();
      auto sub = events.subscribe("t", kind::topic_upserted, [&](const fabric::event& e) -> awaitable<void> {
        if (attempts.size() == before + 2) co_await pause(10min);
        attempts.push_back(e.num_delivered.value());
        throw std::runtime_error("boom");
      });
      co_await until([&] { return attempts.size() == before + 2 || letters.size() == 1; });
      co_await sub.stop(0ms);
      nc.close();
      if (process != 0) continue;
      server.restart();
      // A dead letter is lost when nobody listens.
      co_await until([&] { return observer.stats().reconnects == 1; });
    }
    // Handing the event back at the end of a process spent an attempt without a run, as a crash would.
    co_await until([&] { return letters.size() == 1; });
    CHECK(attempts.size() >= 3);
    CHECK(attempts.size() <= 5);
    CHECK(attempts.back() <= 5);
    for (std::size_t n = 1; n != attempts.size(); ++n) CHECK(attempts[n - 1] < attempts[n]);
  });
}

TEST_CASE("[000-79][D18] a stop parks the events whose last delivery it cuts short", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, budget_of_one());
    co_await events.provision();
    tap letters(nc, fabric::dlq_subject);
    std::set<std::string> started;
    fabric::delivery_options options;
    options.max_in_flight = 2;
    const auto hang = [&](const fabric::event& e) -> awaitable<void> {
      started.insert(e.ref.row_id);
      const bool stubborn = e.ref.row_id == "1";
      if (stubborn) co_await boost::asio::this_coro::reset_cancellation_state(boost::asio::disable_cancellation());
      co_await pause(10min);
    };
    auto sub = events.subscribe("t", kind::topic_upserted, hang, options);
    co_await publish_rows(events, "t", kind::topic_upserted, 4);
    co_await until([&] { return started.size() == 2 && sub.stats().in_hand == 4; });
    co_await sub.stop(0ms);
    co_await nc.flush();
    CHECK(letters.size() == 4);
    CHECK(sub.stats().parked == 4);
    CHECK(sub.stats().handed_back == 0);
    for (std::size_t n = 0; n != letters.size(); ++n)
      CHECK(letters.header(n, "Compass-Park-Reason") == "stopped in its last delivery");
    jetstream::context js(nc);
    const auto info = co_await js.consumer_info("COMPASS_COMMS", sub.durable());
    CHECK(info.ack_pending == 0);
  });
}

TEST_CASE("[D18] a hang on the last attempt ends on the dead letter, once over all processes", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto one = co_await compass_fabric::connect(server.url());
    auto two = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric first(one, budget_of_one(600ms), log.handler()), second(two, budget_of_one(600ms), log.handler());
    co_await first.provision();
    tap letters(one, fabric::dlq_subject);
    tally runs;
    const auto hang = [&](const fabric::event& e) -> awaitable<void> {
      runs(e);
      if (e.ref.row_id == "0") co_await pause(10min);
    };
    auto a = first.subscribe("t", kind::topic_upserted, hang);
    auto b = second.subscribe("t", kind::topic_upserted, hang);
    co_await a.ready();
    co_await b.ready();
    co_await publish_rows(first, "t", kind::topic_upserted, 1);
    co_await until([&] { return letters.size() == 1; });
    CHECK(letters.header(0, "Compass-Original-Subject") == "compass.t.comms.topic_upserted");
    CHECK_THAT(letters.header(0, "Compass-Park-Reason"), ContainsSubstring("max deliveries"));
    CHECK(letters.header(0, "Compass-Park-Sequence") == "1");
    CHECK(letters.seen()[0].payload() == encode(ref("t", kind::topic_upserted, "0")));
    // The stand-ins have looked and left it at that after five seconds.
    co_await pause(6s);
    CHECK(letters.size() == 1);
    CHECK(runs.total() == 1);
    // The hang was cancelled: its process goes on with other events.
    co_await publish_rows(first, "t", kind::topic_upserted, 20);
    co_await until([&] { return runs.rows() == 20; });
  });
}

TEST_CASE("[D18][C060] a process that died on the last attempt leaves its event to the next one's watcher",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto observer = co_await compass_fabric::connect(server.url());
    tap letters(observer, fabric::dlq_subject);
    co_await observer.flush();
    {
      auto nc = co_await compass_fabric::connect(server.url());
      event_fabric events(nc, budget_of_one(600ms));
      co_await events.provision();
      bool started = false;
      auto sub = events.subscribe("t", kind::topic_upserted, [&](const fabric::event&) -> awaitable<void> {
        started = true;
        co_await pause(10min);
      });
      co_await publish_rows(events, "t", kind::topic_upserted, 1);
      co_await until([&] { return started; });
      nc.close();  // no hand-back gets out
    }
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, budget_of_one(600ms));
    tally runs;
    auto sub = events.subscribe("t", kind::topic_upserted, std::ref(runs));
    co_await until([&] { return letters.size() == 1; });
    co_await until([&] { return sub.stats().parked == 1; });
    CHECK(runs.total() == 0);
  });
}
