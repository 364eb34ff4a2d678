// SPDX-License-Identifier: Apache-2.0
#include "jetstream/fetch_state.hpp"

#include <chrono>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using namespace std::chrono_literals;
using kind = js::status_kind;

namespace {

const js::fetch_state::time_point start{1000s};

js::fetch_options options(std::chrono::milliseconds expires, std::chrono::milliseconds heartbeat = 0ms) {
  js::fetch_options o;
  o.expires = expires;
  o.idle_heartbeat = heartbeat;
  return o;
}

js::pull_status line(kind k, std::string_view text = {}) { return {k, 0, text, {}, {}}; }

}  // namespace

TEST_CASE("a fetch is complete with the last message asked for", "[jetstream]") {
  js::fetch_state f(2, options(1s), start);
  f.message(start);
  CHECK_FALSE(f.over());
  f.message(start);
  CHECK(f.over());
  CHECK(f.end() == js::fetch_end::complete);
  CHECK_FALSE(f.error());
  CHECK_FALSE(f.open_at_server());
  f.message(start);
  f.status(line(kind::consumer_deleted), start);
  f.fail(js::errc::unavailable);
  f.elapsed(start + 1h);
  CHECK(f.end() == js::fetch_end::complete);
}

TEST_CASE("[C053] expiry and emptiness are ends like any other, with or without messages", "[jetstream]") {
  for (const auto k : {kind::no_messages, kind::expired}) {
    js::fetch_state f(10, options(1s), start);
    f.message(start);
    f.status(line(k), start);
    CHECK(f.end() == js::fetch_end::no_more_messages);
    CHECK_FALSE(f.error());
    CHECK_FALSE(f.open_at_server());
  }
}

TEST_CASE("[C052] without any answer a fetch ends by itself just behind its time", "[jetstream]") {
  js::fetch_state f(10, options(1s), start);
  CHECK(f.due() == start + 1040ms);
  f.elapsed(start + 1039ms);
  CHECK_FALSE(f.over());
  f.elapsed(start + 1040ms);
  CHECK(f.end() == js::fetch_end::no_more_messages);
  CHECK(f.open_at_server());
}

TEST_CASE("[C052] two missed heartbeats end a fetch, counted from the last arrival", "[jetstream]") {
  js::fetch_state f(10, options(60s, 1s), start);
  CHECK(f.due() == start + 2s);
  f.status(line(kind::heartbeat), start + 1s);
  CHECK_FALSE(f.over());
  f.elapsed(start + 2s);
  CHECK_FALSE(f.over());
  f.message(start + 2s);
  f.elapsed(start + 4s);
  CHECK(f.error() == js::errc::missed_heartbeats);
  CHECK(f.open_at_server());
}

TEST_CASE("[C052] a late look waits one heartbeat more before it gives up", "[jetstream]") {
  js::fetch_state f(10, options(60s, 1s), start);
  f.elapsed(start + 10s);
  CHECK_FALSE(f.over());
  CHECK(f.due() == start + 11s);
  f.elapsed(start + 11s);
  CHECK(f.error() == js::errc::missed_heartbeats);
}

TEST_CASE("[C054] a message that does not fit is an error only when nothing came before it", "[jetstream]") {
  js::fetch_state first(10, options(1s), start);
  first.status(line(kind::too_large, "Message Size Exceeds MaxBytes"), start);
  CHECK(first.end() == js::fetch_end::failed);
  CHECK(first.error() == js::errc::message_too_large);
  CHECK(first.text() == "Message Size Exceeds MaxBytes");
  js::fetch_state later(10, options(1s), start);
  later.message(start);
  later.status(line(kind::too_large), start);
  CHECK(later.end() == js::fetch_end::bytes_used_up);
  CHECK_FALSE(later.error());
}

TEST_CASE("a completed pull that is short of messages has used up its bytes", "[jetstream]") {
  js::fetch_state f(10, options(1s), start);
  f.message(start);
  f.status(line(kind::completed), start);
  CHECK(f.end() == js::fetch_end::bytes_used_up);
}

TEST_CASE("every other status fails the fetch with its reason", "[jetstream]") {
  for (const auto k : {kind::too_many_pulls, kind::no_responders, kind::leadership_change, kind::server_shutdown,
                       kind::other, kind::refused, kind::consumer_deleted, kind::push_consumer}) {
    js::fetch_state f(10, options(1s), start);
    f.status(line(k), start);
    CHECK(f.end() == js::fetch_end::failed);
    CHECK(f.error() == js::error_of(k));
  }
}

TEST_CASE("[C048] a lost link ends a fetch with what it has", "[jetstream]") {
  js::fetch_state f(10, options(1s), start);
  f.message(start);
  f.fail(compass_fabric::errc::connection_lost);
  CHECK(f.end() == js::fetch_end::failed);
  CHECK(f.error() == compass_fabric::errc::connection_lost);
}

TEST_CASE("[C086] a fetch without a limit ends by what comes, not by its clock", "[jetstream]") {
  for (const auto expires : {std::chrono::milliseconds::max(), std::chrono::milliseconds(24h * 365 * 300)}) {
    js::fetch_state f(1, options(expires), start);
    CHECK(f.due() == js::fetch_state::time_point::max());
    f.elapsed(start + 24h * 365);
    CHECK_FALSE(f.over());
    f.message(start + 24h * 365);
    CHECK(f.end() == js::fetch_end::complete);
  }
}
