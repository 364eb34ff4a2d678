// SPDX-License-Identifier: Apache-2.0
#include "proto/session.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string_view>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using phase = session::phase;
using step = session::step;

namespace {

frame make(frame_kind kind, std::string_view text = {}) {
  frame f{};
  f.kind = kind;
  f.text = text;
  return f;
}

const frame info = make(frame_kind::info, R"({"server_id":"N1","max_payload":1000})");
const frame lame_duck = make(frame_kind::info, R"({"server_id":"N1","ldm":true})");
const frame bad_info = make(frame_kind::info, "[1]");
const frame ping = make(frame_kind::ping);
const frame pong = make(frame_kind::pong);
const frame ok = make(frame_kind::ok);
const frame message = make(frame_kind::msg);
const frame transient = make(frame_kind::err, "'Invalid Subject'");
const frame unknown = make(frame_kind::err, "'Something new'");
const frame closes = make(frame_kind::err, "'Stale Connection'");
const frame refused = make(frame_kind::err, "'Authorization Violation'");
const frame permission = make(frame_kind::err, "'Permissions Violation for Publish to \"a\"'");

/// A session brought to `p` as a link does it. In every phase but the first and `ready` one PING waits for its PONG.
session in(phase p) {
  session s;
  if (p == phase::await_info) return s;
  REQUIRE(s.on_frame(info) == step::send_connect);
  s.ping_sent();
  if (p == phase::await_pong) return s;
  REQUIRE(s.on_frame(pong) == step::restore);
  s.ping_sent();
  if (p == phase::restoring) return s;
  REQUIRE(s.on_frame(pong) == step::become_ready);
  return s;
}

struct row {
  phase before;
  const frame& received;
  step expected;
  phase after;
};

}  // namespace

TEST_CASE("each frame in each phase has its step and its next phase", "[session]") {
  const row table[] = {
      {phase::await_info, info, step::send_connect, phase::await_pong},
      {phase::await_info, lame_duck, step::send_connect, phase::await_pong},
      {phase::await_info, bad_info, step::fail, phase::failed},
      {phase::await_info, ping, step::answer_ping, phase::await_info},
      {phase::await_info, pong, step::fail, phase::failed},
      {phase::await_info, ok, step::none, phase::await_info},
      {phase::await_info, message, step::fail, phase::failed},
      {phase::await_info, transient, step::fail, phase::failed},
      {phase::await_info, unknown, step::fail, phase::failed},
      {phase::await_info, closes, step::fail, phase::failed},
      {phase::await_info, refused, step::fail, phase::failed},
      {phase::await_info, permission, step::report, phase::await_info},

      {phase::await_pong, info, step::info_changed, phase::await_pong},
      {phase::await_pong, lame_duck, step::lame_duck, phase::await_pong},
      {phase::await_pong, bad_info, step::fail, phase::failed},
      {phase::await_pong, ping, step::answer_ping, phase::await_pong},
      {phase::await_pong, pong, step::restore, phase::restoring},
      {phase::await_pong, ok, step::none, phase::await_pong},
      {phase::await_pong, message, step::fail, phase::failed},
      {phase::await_pong, transient, step::fail, phase::failed},
      {phase::await_pong, unknown, step::fail, phase::failed},
      {phase::await_pong, closes, step::fail, phase::failed},
      {phase::await_pong, refused, step::fail, phase::failed},
      {phase::await_pong, permission, step::report, phase::await_pong},

      {phase::restoring, info, step::info_changed, phase::restoring},
      {phase::restoring, lame_duck, step::lame_duck, phase::restoring},
      {phase::restoring, bad_info, step::fail, phase::failed},
      {phase::restoring, ping, step::answer_ping, phase::restoring},
      {phase::restoring, pong, step::become_ready, phase::ready},
      {phase::restoring, ok, step::none, phase::restoring},
      {phase::restoring, message, step::deliver, phase::restoring},
      {phase::restoring, transient, step::report, phase::restoring},
      {phase::restoring, unknown, step::report, phase::restoring},
      {phase::restoring, closes, step::report, phase::restoring},
      {phase::restoring, refused, step::report, phase::restoring},
      {phase::restoring, permission, step::report, phase::restoring},

      {phase::ready, info, step::info_changed, phase::ready},
      {phase::ready, lame_duck, step::lame_duck, phase::ready},
      {phase::ready, bad_info, step::fail, phase::failed},
      {phase::ready, ping, step::answer_ping, phase::ready},
      {phase::ready, pong, step::fail, phase::failed},
      {phase::ready, ok, step::none, phase::ready},
      {phase::ready, message, step::deliver, phase::ready},
      {phase::ready, transient, step::report, phase::ready},
      {phase::ready, unknown, step::report, phase::ready},
      {phase::ready, closes, step::report, phase::ready},
      {phase::ready, refused, step::report, phase::ready},
      {phase::ready, permission, step::report, phase::ready},
  };
  for (const auto& [before, received, expected, after] : table) {
    INFO("phase " << int(before) << ", frame " << int(received.kind) << ' ' << received.text);
    session s = in(before);
    REQUIRE(s.current() == before);
    CHECK(s.on_frame(received) == expected);
    CHECK(s.current() == after);
    if (after == phase::failed) CHECK(s.failure() != errc{});
  }
}

TEST_CASE("bytes that are not the protocol end the link in every phase", "[session]") {
  for (const auto p : {phase::await_info, phase::await_pong, phase::restoring, phase::ready}) {
    session s = in(p);
    CHECK(s.on_parse_error(parse_error::bad_number) == step::fail);
    CHECK(s.current() == phase::failed);
    CHECK(s.failure() == errc::protocol_error);
    CHECK(s.error().code == errc::protocol_error);
    CHECK(s.error().text == to_string(parse_error::bad_number));
  }
}

TEST_CASE("a frame out of place says what was wrong", "[session]") {
  const auto text_of = [](phase p, const frame& f) {
    session s = in(p);
    CHECK(s.on_frame(f) == step::fail);
    CHECK(s.failure() == errc::protocol_error);
    return s.error().text;
  };
  CHECK(text_of(phase::ready, pong) == "PONG without a PING");
  CHECK(text_of(phase::await_pong, message) == "message before the handshake was over");
  CHECK(text_of(phase::ready, bad_info) == "INFO is not a JSON object");
}

TEST_CASE("subscriptions are known to the server from the moment they are restored", "[session]") {
  CHECK_FALSE(in(phase::await_info).restored());
  CHECK_FALSE(in(phase::await_pong).restored());
  CHECK(in(phase::restoring).restored());
  CHECK(in(phase::ready).restored());
  session failed = in(phase::ready);
  failed.on_frame(bad_info);
  CHECK_FALSE(failed.restored());
}

TEST_CASE("each PONG answers the oldest PING", "[session]") {
  session s = in(phase::ready);
  const auto before = s.pongs();
  const auto first = s.ping_sent();
  const auto second = s.ping_sent();
  CHECK(first == before + 1);
  CHECK(second == before + 2);
  CHECK(s.on_frame(pong) == step::pong);
  CHECK(s.pongs() == first);
  CHECK(s.on_frame(pong) == step::pong);
  CHECK(s.pongs() == second);
  CHECK(s.on_frame(pong) == step::fail);
  CHECK(s.pongs() == second);
}

TEST_CASE("the link is ready only with the PONG for the last PING of the handshake", "[session]") {
  session s = in(phase::restoring);
  s.ping_sent();
  CHECK(s.on_frame(pong) == step::pong);
  CHECK(s.current() == phase::restoring);
  CHECK(s.on_frame(pong) == step::become_ready);
}

TEST_CASE("each INFO replaces the one before", "[session]") {
  session s = in(phase::ready);
  CHECK(s.info().server_id == "N1");
  CHECK(s.info().max_payload == 1000);
  CHECK(s.on_frame(make(frame_kind::info, R"({"max_payload":7})")) == step::info_changed);
  CHECK(s.info().max_payload == 7);
  CHECK(s.info().server_id.empty());
}

TEST_CASE("a broken INFO leaves the one before", "[session]") {
  session s = in(phase::ready);
  s.on_frame(make(frame_kind::info, "{\"max_payload\":"));
  CHECK(s.info().max_payload == 1000);
}

TEST_CASE("lame duck mode is reported once for a link", "[session]") {
  session s = in(phase::ready);
  CHECK(s.on_frame(lame_duck) == step::lame_duck);
  CHECK(s.info().lame_duck);
  CHECK(s.on_frame(info) == step::info_changed);
  CHECK(s.on_frame(lame_duck) == step::info_changed);
}

TEST_CASE("an error after which the server closes explains the end that follows", "[session]") {
  session s = in(phase::ready);
  CHECK(s.failure() == errc{});
  for (const auto& harmless : {transient, unknown, permission}) {
    s.on_frame(harmless);
    CHECK(s.failure() == errc{});
  }
  s.on_frame(closes);
  CHECK(s.failure() == errc::stale_connection);
  CHECK(s.error().text == "Stale Connection");
  s.on_frame(refused);
  CHECK(s.failure() == errc::authorization_violation);
  s.on_frame(transient);
  CHECK(s.error().code == errc::invalid_subject);
  CHECK(s.failure() == errc::authorization_violation);
}

TEST_CASE("a refused handshake fails with the server's reason", "[session]") {
  session s = in(phase::await_pong);
  CHECK(s.on_frame(refused) == step::fail);
  CHECK(s.failure() == errc::authorization_violation);
  CHECK(s.error().kind == server_error_kind::auth);
  session full = in(phase::await_info);
  CHECK(full.on_frame(make(frame_kind::err, "'maximum connections exceeded'")) == step::fail);
  CHECK(full.failure() == errc::max_connections_exceeded);
}

TEST_CASE("a permission error keeps its details", "[session]") {
  session s = in(phase::ready);
  CHECK(s.on_frame(permission) == step::report);
  CHECK(s.error().operation == refused_operation::publish);
  CHECK(s.error().subject == "a");
}
