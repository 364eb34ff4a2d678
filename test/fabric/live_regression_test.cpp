// SPDX-License-Identifier: Apache-2.0
// A server whose disk goes back in time.
#include <compass_fabric/testing/temp_dir.hpp>
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>

using namespace fabric_live;
using compass_fabric::testing::nats_server_options;
using compass_fabric::testing::temp_dir;

namespace {

event_ref row(int number) { return ref("t", kind::message_posted, std::to_string(number)); }

awaitable<void> publish_rows_from(event_fabric events, int first, int count) {
  for (int number = first; number != first + count; ++number) {
    const auto change = row(number);
    co_await events.publish(change);
  }
}

/// Puts the store back to what it was when `copy` was made, as a machine does that lost power.
void roll_back(nats_server& server, const std::filesystem::path& store, const std::filesystem::path& copy) {
  server.kill();
  for (const auto& entry : std::filesystem::directory_iterator(store)) std::filesystem::remove_all(entry);
  std::filesystem::copy(copy, store, std::filesystem::copy_options::recursive);
  server.restart();
}

}  // namespace

TEST_CASE("C047: a subscriber is told that the stream went back, and goes on with what is published then",
          "[fabric][live]") {
  const temp_dir store, copy;
  nats_server_options options;
  options.store_dir = store.path() / "js";
  nats_server server(options);
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, {}, log.handler());
    co_await events.provision();
    tally handled;
    auto sub = events.subscribe("t", kind::message_posted, std::ref(handled));
    co_await sub.ready();
    co_await publish_rows_from(events, 0, 20);
    server.stop();
    std::filesystem::copy(options.store_dir, copy.path() / "js", std::filesystem::copy_options::recursive);
    server.restart();
    co_await publish_rows_from(events, 20, 20);
    co_await until([&] { return handled.rows() == 40; });
    CHECK(log.count(fabric_event_kind::stream_regressed) == 0);
    roll_back(server, options.store_dir, copy.path() / "js");
    co_await until([&] { return log.count(fabric_event_kind::stream_regressed) == 1; });
    const auto regressed = log.last(fabric_event_kind::stream_regressed);
    CHECK(regressed.sequence == 40);
    CHECK(regressed.count == 20);
    co_await publish_rows_from(events, 40, 10);
    co_await until([&] { return handled.rows() == 50; });
    CHECK(log.count(fabric_event_kind::stream_regressed) == 1);
  });
}

TEST_CASE("C047: a publisher alone notices by the place of its next event", "[fabric][live]") {
  const temp_dir store, copy;
  nats_server_options options;
  options.store_dir = store.path() / "js";
  nats_server server(options);
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_log log;
    event_fabric events(nc, {}, log.handler());
    co_await events.provision();
    co_await publish_rows_from(events, 0, 3);
    server.stop();
    std::filesystem::copy(options.store_dir, copy.path() / "js", std::filesystem::copy_options::recursive);
    server.restart();
    co_await publish_rows(events, "u", kind::message_posted, 5);
    roll_back(server, options.store_dir, copy.path() / "js");
    const auto next = row(100);
    const auto ack = co_await events.publish(next);
    CHECK(ack.sequence == 4);
    CHECK(log.count(fabric_event_kind::stream_regressed) == 1);
    CHECK(log.last(fabric_event_kind::stream_regressed).sequence == 8);
    // The events in between can be published again: the stream has forgotten their ids as well.
    co_await publish_rows(events, "u", kind::message_posted, 5);
    jetstream::context js(nc);
    const auto info = co_await js.stream_info("COMPASS_COMMS");
    CHECK(info.state.last_sequence == 9);
    CHECK(log.count(fabric_event_kind::stream_regressed) == 1);
  });
}
