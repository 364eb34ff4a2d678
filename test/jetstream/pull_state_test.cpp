// SPDX-License-Identifier: Apache-2.0
#include "jetstream/pull_state.hpp"

#include <chrono>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using namespace std::chrono_literals;
using kind = js::status_kind;
using verdict = js::pull_verdict;

namespace {

/// A window with a clock of its own.
struct bench {
  explicit bench(std::size_t messages = 10, std::size_t bytes = 0) : state(settings(messages, bytes)) {
    state.connected(now);
  }

  static js::pull_state::settings settings(std::size_t messages, std::size_t bytes) {
    js::pull_state::settings s;
    s.max_messages = messages;
    s.max_bytes = bytes;
    s.idle_heartbeat = 1s;
    return s;
  }

  js::pull_order must_pull() {
    const auto order = state.next_pull(now);
    REQUIRE(order);
    return *order;
  }
  bool idle() { return !state.next_pull(now); }
  void arrive(int count, std::size_t bytes = 10) {
    for (int i = 0; i != count; ++i) state.arrived(bytes, now);
  }
  void take(int count, std::size_t bytes = 10) {
    for (int i = 0; i != count; ++i) state.taken(bytes);
  }
  verdict status(std::uint64_t id, kind k) { return state.status(id, js::pull_status{k, 0, {}, {}, {}}, now); }
  verdict status(std::uint64_t id, kind k, std::uint64_t messages, std::uint64_t bytes) {
    return state.status(id, js::pull_status{k, 0, {}, messages, bytes}, now);
  }

  js::pull_state::time_point now{1000s};
  js::pull_state state;
};

}  // namespace

TEST_CASE("the first pull asks for the whole window, and only one is sent", "[jetstream]") {
  bench b;
  const auto first = b.must_pull();
  CHECK(first.messages == 10);
  CHECK(first.bytes == 0);
  CHECK(b.idle());
}

TEST_CASE("more is asked for when half is left, and only as much as there is room for", "[jetstream]") {
  bench b;
  b.must_pull();
  b.arrive(10);
  CHECK(b.idle());
  b.take(4);
  CHECK(b.idle());
  b.take(1);
  CHECK(b.must_pull().messages == 5);
  CHECK(b.idle());
}

TEST_CASE("a slow application stops the pulls: messages count until they are taken", "[jetstream]") {
  bench b;
  b.must_pull();
  b.arrive(10);
  CHECK(b.idle());
  CHECK_FALSE(b.state.due());
  b.now += 1h;
  CHECK(b.idle());
  CHECK_FALSE(b.state.gave_up(b.now));
}

TEST_CASE("a window of one message works", "[jetstream]") {
  bench b(1);
  CHECK(b.must_pull().messages == 1);
  b.arrive(1);
  CHECK(b.idle());
  b.take(1);
  CHECK(b.must_pull().messages == 1);
}

TEST_CASE("the unused part of an expired pull is asked for again at once", "[jetstream]") {
  bench b;
  const auto first = b.must_pull();
  b.arrive(3);
  CHECK(b.status(first.id, kind::expired, 7, 0) == verdict::go_on);
  CHECK(b.must_pull().messages == 7);
}

TEST_CASE("an expired pull without figures ends with what it was not seen to deliver", "[jetstream]") {
  bench b;
  const auto first = b.must_pull();
  b.arrive(3);
  CHECK(b.status(first.id, kind::expired) == verdict::go_on);
  CHECK(b.must_pull().messages == 7);
}

TEST_CASE("statuses of pulls from before a reset change nothing", "[jetstream]") {
  bench b;
  const auto old = b.must_pull();
  b.state.disconnected();
  CHECK(b.idle());
  b.state.connected(b.now);
  b.must_pull();
  CHECK(b.status(old.id, kind::expired, 10, 0) == verdict::go_on);
  CHECK(b.status(old.id, kind::consumer_deleted) == verdict::go_on);
  CHECK(b.idle());
}

TEST_CASE("a status of a pull never sent changes nothing", "[jetstream]") {
  bench b;
  const auto first = b.must_pull();
  CHECK(b.status(first.id + 1, kind::consumer_deleted) == verdict::go_on);
  CHECK(b.status(0, kind::consumer_deleted) == verdict::go_on);
}

TEST_CASE("messages of a pull that was given up never make a counter negative", "[jetstream]") {
  bench b;
  b.must_pull();
  b.state.disconnected();
  b.state.connected(b.now);
  b.must_pull();
  b.arrive(15);
  CHECK(b.idle());
  b.take(15);
  CHECK(b.must_pull().messages == 10);
}

TEST_CASE("[C048] a reconnect asks for the whole window again, less what is buffered", "[jetstream]") {
  bench b;
  b.must_pull();
  b.arrive(2);
  b.state.disconnected();
  CHECK_FALSE(b.state.due());
  CHECK(b.idle());
  b.state.connected(b.now);
  CHECK(b.must_pull().messages == 8);
}

TEST_CASE("[C052] silence is noticed two heartbeats after the last arrival, not before", "[jetstream]") {
  bench b;
  const auto first = b.must_pull();
  CHECK(b.state.due() == b.now + 2s);
  b.now += 1500ms;
  CHECK(b.status(first.id, kind::heartbeat) == verdict::go_on);
  b.now += 1999ms;
  CHECK_FALSE(b.state.gave_up(b.now));
  b.now += 1ms;
  CHECK(b.state.gave_up(b.now));
  CHECK(b.must_pull().messages == 10);
  CHECK_FALSE(b.state.gave_up(b.now));
}

TEST_CASE("[C052] a look that comes late raises no alarm before the socket could be read", "[jetstream]") {
  bench b;
  b.must_pull();
  b.now += 10s;
  CHECK_FALSE(b.state.gave_up(b.now));
  CHECK(b.state.due() == b.now + 1s);
  b.now += 1s;
  CHECK(b.state.gave_up(b.now));
}

TEST_CASE("a message restarts the count of heartbeats", "[jetstream]") {
  bench b;
  b.must_pull();
  b.now += 1900ms;
  b.arrive(1);
  CHECK(b.state.due() == b.now + 2s);
}

TEST_CASE("a leadership change tells no figures: everything owed is forgotten and asked for again", "[jetstream]") {
  bench b;
  const auto first = b.must_pull();
  b.arrive(2);
  CHECK(b.status(first.id, kind::leadership_change) == verdict::pull_lost);
  CHECK(b.must_pull().messages == 8);
}

TEST_CASE("pulls that are cut short one after another are paced", "[jetstream]") {
  bench b;
  CHECK(b.status(b.must_pull().id, kind::leadership_change) == verdict::pull_lost);
  CHECK(b.status(b.must_pull().id, kind::leadership_change) == verdict::pull_lost);
  CHECK(b.idle());
  CHECK(b.state.due() == b.now + 100ms);
  b.now += 100ms;
  CHECK(b.status(b.must_pull().id, kind::other) == verdict::pull_lost);
  CHECK(b.state.due() == b.now + 200ms);
  b.now += 200ms;
  const auto next = b.must_pull();
  CHECK(b.status(next.id, kind::heartbeat) == verdict::go_on);
  CHECK(b.status(next.id, kind::leadership_change) == verdict::pull_lost);
  b.must_pull();
}

TEST_CASE("[C057] a busy consumer is asked again with growing pauses up to one second", "[jetstream]") {
  bench b;
  for (const auto pause : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
    CHECK(b.status(b.must_pull().id, kind::too_many_pulls) == verdict::pull_lost);
    CHECK(b.idle());
    CHECK(b.state.due() == b.now + pause);
    b.now += pause;
  }
  b.must_pull();
  b.arrive(1);
  b.take(1);
  CHECK(b.status(7, kind::too_many_pulls) == verdict::pull_lost);
  CHECK(b.state.due() == b.now + 100ms);
}

TEST_CASE("a refusal of one pull leaves the others owed", "[jetstream]") {
  bench b;
  b.must_pull();
  b.arrive(5);
  b.take(5);
  const auto second = b.must_pull();
  CHECK(second.messages == 5);
  CHECK(b.status(second.id, kind::too_many_pulls) == verdict::pull_lost);
  CHECK(b.idle());
  CHECK(b.state.due() == b.now + 100ms);
  b.now += 100ms;
  CHECK(b.must_pull().messages == 5);
}

TEST_CASE("nobody serving the consumer is a question, not an answer", "[jetstream]") {
  bench b;
  CHECK(b.status(b.must_pull().id, kind::no_responders) == verdict::check_consumer);
  CHECK(b.idle());
  b.now += 100ms;
  CHECK(b.must_pull().messages == 10);
}

TEST_CASE("a server that shuts down is left alone for a moment", "[jetstream]") {
  bench b;
  CHECK(b.status(b.must_pull().id, kind::server_shutdown, 10, 0) == verdict::pull_lost);
  CHECK(b.idle());
  b.now += 100ms;
  CHECK(b.must_pull().messages == 10);
}

TEST_CASE("an empty answer does not make a tight loop", "[jetstream]") {
  bench b;
  CHECK(b.status(b.must_pull().id, kind::no_messages) == verdict::go_on);
  CHECK(b.idle());
  CHECK(b.state.due() == b.now + 100ms);
}

TEST_CASE("a deleted, pushing or refusing consumer ends it", "[jetstream]") {
  for (const auto k : {kind::consumer_deleted, kind::push_consumer, kind::refused}) {
    bench b;
    CHECK(b.status(b.must_pull().id, k) == verdict::end);
  }
}

TEST_CASE("starting over pulls again behind a pause", "[jetstream]") {
  bench b;
  b.must_pull();
  b.state.start_over(b.now);
  CHECK(b.idle());
  b.now += 100ms;
  CHECK(b.must_pull().messages == 10);
}

TEST_CASE("bytes limit the window like messages", "[jetstream]") {
  bench b(100, 1000);
  const auto first = b.must_pull();
  CHECK(first.messages == 100);
  CHECK(first.bytes == 1000);
  b.arrive(3, 200);
  CHECK(b.status(first.id, kind::completed, 97, 400) == verdict::go_on);
  CHECK(b.idle());
  b.take(1, 200);
  const auto second = b.must_pull();
  CHECK(second.messages == 98);
  CHECK(second.bytes == 600);
}

TEST_CASE("[C054] a message larger than the limit is fetched alone, and nothing else beside it", "[jetstream]") {
  bench b(100, 1000);
  const auto first = b.must_pull();
  CHECK(b.status(first.id, kind::too_large, 100, 1000) == verdict::too_large);
  const auto alone = b.must_pull();
  CHECK(alone.messages == 1);
  CHECK(alone.bytes == 0);
  CHECK(b.idle());
  CHECK(b.state.due() == b.now + 2s);
  b.arrive(1, 5000);
  CHECK(b.idle());
  b.take(1, 5000);
  CHECK(b.must_pull().bytes == 1000);
}

TEST_CASE("[C054] a message that does not fit the rest of the limit waits for all of it", "[jetstream]") {
  bench b(100, 1000);
  const auto first = b.must_pull();
  b.arrive(2, 400);
  CHECK(b.status(first.id, kind::too_large, 98, 200) == verdict::go_on);
  b.take(1, 400);
  const auto rest = b.must_pull();
  CHECK(rest.bytes == 600);
  CHECK(b.status(rest.id, kind::too_large, 99, 600) == verdict::go_on);
  CHECK(b.idle());
  b.take(1, 400);
  CHECK(b.must_pull().bytes == 1000);
}

TEST_CASE("the pull for one large message can expire and is then part of the normal flow", "[jetstream]") {
  bench b(100, 1000);
  CHECK(b.status(b.must_pull().id, kind::too_large, 100, 1000) == verdict::too_large);
  const auto alone = b.must_pull();
  CHECK(b.status(alone.id, kind::expired, 1, 0) == verdict::go_on);
  CHECK(b.must_pull().bytes == 1000);
}
