// SPDX-License-Identifier: Apache-2.0
// Operators who keep the dead letters: a stream of their own over the dead-letter subject.
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace fabric_live;

namespace {

constexpr std::size_t letters = 10;

awaitable<jetstream::stream_state> state_of(jetstream::context js, std::string_view stream) {
  const auto info = co_await js.stream_info(stream);
  co_return info.state;
}

/// Parks `letters` events and waits until DEAD holds them.
awaitable<void> park_events(event_fabric events, jetstream::context js) {
  const auto boom = [](const fabric::event&) { throw std::runtime_error("boom"); };
  auto sub = events.subscribe("t", kind::message_posted, boom);
  co_await publish_rows(events, "t", kind::message_posted, letters);
  const compass_fabric::testing::deadline end(20s);
  auto dead = co_await state_of(js, "DEAD");
  while (dead.messages != letters && !end.passed()) dead = co_await state_of(js, "DEAD");
  CHECK(dead.messages == letters);
  co_await sub.stop();
}

/// The last three letters, looked at and left where they are.
awaitable<std::vector<event_ref>> peek(jetstream::context js) {
  jetstream::consumer_config viewer;
  viewer.name = "viewer";
  viewer.deliver_policy = jetstream::deliver_policy::by_start_sequence;
  viewer.start_sequence = letters - 2;
  viewer.ack_policy = jetstream::ack_policy::none;
  co_await js.create_consumer("DEAD", viewer);
  jetstream::fetch_options at_once;
  at_once.no_wait = true;
  const auto result = co_await js.consumer("DEAD", "viewer").fetch(letters, at_once);
  std::vector<event_ref> refs;
  for (const auto& m : result.messages) refs.push_back(fabric::decode_event_ref(m.payload()).value());
  co_return refs;
}

/// Publishes `ref` until the stream has forgotten its first publish.
awaitable<void> replay(event_fabric events, event_ref ref) {
  const compass_fabric::testing::deadline end(20s);
  auto ack = co_await events.publish(ref);
  while (ack.duplicate && !end.passed()) ack = co_await events.publish(ref);
  CHECK_FALSE(ack.duplicate);
}

}  // namespace

TEST_CASE("C061: a stream over the dead letters can be looked at from any place, and replays are not doubled",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    jetstream::context js(nc);
    fabric::config settings;
    settings.max_deliver = 1;
    settings.duplicate_window = 3s;
    event_fabric events(nc, settings);
    co_await events.provision();
    jetstream::stream_config dead;
    dead.name = "DEAD";
    dead.subjects = {std::string(fabric::dlq_subject)};
    co_await js.create_stream(dead);
    co_await park_events(events, js);
    const auto seen = co_await peek(js);
    REQUIRE(seen.size() == 3);
    const auto kept = co_await state_of(js, "DEAD");
    CHECK(kept.messages == letters);
    const auto before = co_await state_of(js, "COMPASS_COMMS");
    for (const auto& change : seen) co_await replay(events, change);
    const auto again = co_await events.publish(seen.back());
    CHECK(again.duplicate);
    const auto after = co_await state_of(js, "COMPASS_COMMS");
    CHECK(after.last_sequence == before.last_sequence + 3);
  });
}
