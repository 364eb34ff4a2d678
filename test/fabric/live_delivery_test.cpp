// SPDX-License-Identifier: Apache-2.0
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace fabric_live;

namespace {

using testing_clock = std::chrono::steady_clock;

struct not_an_exception {};

/// Publishes raw bytes to the stream, as a broken publisher would.
awaitable<void> publish_raw(connection nc, std::string_view subject, std::string_view payload) {
  jetstream::context js(nc);
  co_await js.publish(subject, payload);
}

}  // namespace

TEST_CASE("[000-75] a handled event is acked", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    tally handled;
    auto sub = events.subscribe("t", kind::message_posted, std::ref(handled));
    co_await publish_rows(events, "t", kind::message_posted, 10);
    co_await until([&] { return handled.rows() == 10 && sub.stats().handled == 10; });
    co_await nc.flush();
    jetstream::context js(nc);
    const auto info = co_await js.consumer_info("COMPASS_COMMS", sub.durable());
    CHECK(info.ack_floor.stream_sequence == 10);
    CHECK(info.ack_pending == 0);
  });
}

TEST_CASE("[000-68][000-78] a failing event runs exactly as often as the budget says, then is parked",
          "[fabric][live]") {
  nats_server server;
  for (const int budget : {1, 2, 5}) {
    run([&]() -> awaitable<void> {
      auto nc = co_await compass_fabric::connect(server.url());
      fabric::config settings;
      settings.max_deliver = budget;
      event_fabric events(nc, settings);
      co_await events.provision();
      tap letters(nc, fabric::dlq_subject);
      const auto tenant = "budget-" + std::to_string(budget);
      std::vector<std::uint64_t> attempts;
      auto sub = events.subscribe(tenant, kind::message_posted, [&](const fabric::event& e) {
        attempts.push_back(e.num_delivered.value());
        throw std::runtime_error("boom");
      });
      co_await publish_rows(events, tenant, kind::message_posted, 1);
      co_await until([&] { return letters.size() == 1; });
      // Whatever else was on its way would be here after the next event.
      const auto next = ref(tenant, kind::message_posted, "next");
      co_await events.publish(next);
      co_await until([&] { return letters.size() == 2; });
      std::vector<std::uint64_t> wanted;
      for (int round = 0; round != 2; ++round) {
        for (int n = 1; n <= budget; ++n) wanted.push_back(static_cast<std::uint64_t>(n));
      }
      CHECK(attempts == wanted);
      co_await until([&] { return sub.stats().parked == 2; });
    });
  }
}

TEST_CASE("[000-77] a failed event is delivered again at once", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    std::vector<testing_clock::time_point> runs;
    auto sub = events.subscribe("t", kind::message_posted, [&](const fabric::event&) {
      runs.push_back(testing_clock::now());
      if (runs.size() < 3) throw std::runtime_error("not yet");
    });
    co_await publish_rows(events, "t", kind::message_posted, 1);
    co_await until([&] { return sub.stats().handled == 1; });
    REQUIRE(runs.size() == 3);
    CHECK(runs[2] - runs[0] < 5s);  // the ack wait is 30 s
  });
}

TEST_CASE("[000-74] whatever a handler throws is a failed attempt and nothing more", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    tally runs;
    const auto fail = [&](const fabric::event& e) {
      runs(e);
      if (*e.num_delivered > 1) return;
      if (e.ref.row_id == "0") throw std::runtime_error("std");
      throw not_an_exception{};
    };
    const auto fail_later = [&](const fabric::event& e) -> awaitable<void> {
      co_await pause(1ms);
      fail(e);
    };
    auto plain = events.subscribe("plain", kind::message_posted, fail);
    auto awaiting = events.subscribe("awaiting", kind::message_posted, fail_later);
    co_await publish_rows(events, "plain", kind::message_posted, 2);
    co_await publish_rows(events, "awaiting", kind::message_posted, 2);
    co_await until([&] { return plain.stats().handled == 2 && awaiting.stats().handled == 2; });
    for (const auto& [row, count] : runs.all()) CHECK(count == 2);
    CHECK(plain.stats().failed == 2);
    CHECK(awaiting.stats().failed == 2);
  });
}

TEST_CASE("[000-73][000-81] what is no reference is parked at its first delivery", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, {}, log.handler());
    co_await events.provision();
    tap letters(nc, fabric::dlq_subject);
    tap terms(nc, "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED.>");
    tally handled;
    auto sub = events.subscribe("t", kind::message_posted, std::ref(handled));
    const std::string bytes("\xff\x00{not json", 11);
    co_await publish_raw(nc, "compass.t.comms.message_posted", bytes);
    co_await until([&] { return letters.size() == 1 && terms.size() == 1; });
    CHECK(letters.seen()[0].payload() == bytes);
    CHECK(letters.header(0, "Compass-Park-Reason") == "payload: not valid JSON");
    CHECK(handled.total() == 0);
    CHECK(sub.stats().delivered == 1);
    CHECK(sub.stats().malformed == 1);
    CHECK(log.count(fabric_event_kind::malformed) == 1);
  });
}

TEST_CASE("[000-76] a failed ack after success is reported, costs one redelivery and parks nothing", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    auto other = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, quick(), log.handler());
    event_fabric peer(other, quick());
    co_await events.provision();
    tap letters(other, fabric::dlq_subject);
    auto sub = events.subscribe("t", kind::message_posted, [&](const fabric::event&) { nc.close(); });
    co_await sub.ready();
    co_await publish_rows(peer, "t", kind::message_posted, 1);
    co_await until([&] { return log.count(fabric_event_kind::ack_failed) == 1; });
    std::vector<std::uint64_t> attempts;
    auto second = peer.subscribe("t", kind::message_posted,
                                 [&](const fabric::event& e) { attempts.push_back(e.num_delivered.value()); });
    co_await until([&] { return second.stats().handled == 1; });
    CHECK(attempts == std::vector<std::uint64_t>{2});
    CHECK(letters.size() == 0);
  });
}

TEST_CASE("[000-67] a handler that hangs loses its event to a peer after the ack wait", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    auto other = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, quick()), peer(other, quick());
    co_await events.provision();
    bool cancelled = false;
    auto hanging = events.subscribe("t", kind::message_posted, [&](const fabric::event&) -> awaitable<void> {
      auto hang = pause(10min);
      const auto outcome = co_await compass_fabric::as_result(std::move(hang));
      cancelled = outcome.has_error();
      throw compass_fabric::system_error(outcome.error());
    });
    co_await hanging.ready();
    co_await publish_rows(events, "t", kind::message_posted, 1);
    co_await until([&] { return hanging.stats().delivered == 1; });
    std::vector<std::uint64_t> attempts;
    auto healthy = peer.subscribe("t", kind::message_posted,
                                  [&](const fabric::event& e) { attempts.push_back(e.num_delivered.value()); });
    co_await until([&] { return cancelled; });
    co_await hanging.stop(0ms);
    co_await until([&] { return healthy.stats().handled == 1; });
    REQUIRE(attempts.size() == 1);
    CHECK(attempts[0] >= 2);
  });
}

TEST_CASE("[D25] a slow handler with a progress cap keeps its event", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, quick(600ms));
    co_await events.provision();
    fabric::delivery_options slow;
    slow.progress_cap = 20s;
    tally runs;
    const auto work = [&](const fabric::event& e) -> awaitable<void> {
      runs(e);
      co_await pause(2s);
    };
    auto sub = events.subscribe("t", kind::message_posted, work, slow);
    co_await publish_rows(events, "t", kind::message_posted, 1);
    co_await until([&] { return sub.stats().handled == 1; });
    CHECK(runs.total() == 1);
    CHECK(sub.stats().redelivered == 0);
  });
}

TEST_CASE("[D24] events that wait behind a slow handler are not delivered again", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc, quick(600ms));
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 12);
    tally runs;
    auto sub = events.subscribe("t", kind::message_posted, [&](const fabric::event& e) -> awaitable<void> {
      runs(e);
      co_await pause(200ms);  // twelve of them take four ack waits
    });
    co_await until([&] { return sub.stats().handled == 12; });
    CHECK(runs.total() == 12);
    CHECK(sub.stats().redelivered == 0);
  });
}

TEST_CASE("events are handled one at a time in order unless more are asked for", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 200);
    co_await publish_rows(events, "t", kind::channel_changed, 20);
    std::vector<std::string> order;
    fabric::delivery_options narrow;
    narrow.prefetch = 1;
    auto ordered = events.subscribe(
        "t", kind::message_posted, [&](const fabric::event& e) { order.push_back(e.ref.row_id); }, narrow);
    std::size_t running = 0, most = 0;
    fabric::delivery_options parallel;
    parallel.max_in_flight = 4;
    auto wide = events.subscribe(
        "t", kind::channel_changed,
        [&](const fabric::event&) -> awaitable<void> {
          most = std::max(most, ++running);
          co_await pause(20ms);
          --running;
        },
        parallel);
    co_await until([&] { return order.size() == 200 && wide.stats().handled == 20; });
    for (std::size_t n = 0; n != order.size(); ++n) CHECK(order[n] == std::to_string(n));
    CHECK(most == 4);
  });
}

TEST_CASE("[000-69] without the process's check the server stops at the budget", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    std::string durable;
    {
      auto sub = events.subscribe("t", kind::message_posted, tally());
      co_await sub.ready();
      durable = sub.durable();
      co_await sub.stop();
    }
    co_await publish_rows(events, "t", kind::message_posted, 1);
    jetstream::context js(nc);
    auto raw = js.consumer("COMPASS_COMMS", durable);
    std::uint64_t deliveries = 0;
    for (;;) {
      auto m = co_await raw.next(500ms);
      if (!m) break;
      deliveries = m->metadata().delivered;
      m->nak();
    }
    CHECK(deliveries == 5);
  });
}
