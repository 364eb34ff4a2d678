// SPDX-License-Identifier: Apache-2.0
#include "proto/session.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string_view>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using phase = session::phase;
using step = session::step;

namespace {

frame info(std::string_view json) {
  frame f{};
  f.kind = frame_kind::info;
  f.text = json;
  return f;
}

const frame plain = info(R"({"server_id":"N"})");
const frame offering = info(R"({"server_id":"N","tls_available":true})");
const frame demanding = info(R"({"server_id":"N","tls_required":true})");

struct row {
  tls_need wish;
  const frame& received;
  step expected;
};

}  // namespace

TEST_CASE("what the link wants and what the server offers decide on TLS", "[session][row4]") {
  const row table[] = {
      {tls_need::refused, plain, step::send_connect},
      {tls_need::refused, offering, step::send_connect},
      {tls_need::refused, demanding, step::fail},
      {tls_need::when_asked, plain, step::send_connect},
      {tls_need::when_asked, offering, step::send_connect},
      {tls_need::when_asked, demanding, step::secure},
      {tls_need::always, plain, step::fail},
      {tls_need::always, offering, step::secure},
      {tls_need::always, demanding, step::secure},
      {tls_need::settled, plain, step::send_connect},
      {tls_need::settled, offering, step::send_connect},
      {tls_need::settled, demanding, step::send_connect},
  };
  for (const auto& [wish, received, expected] : table) {
    INFO("wish " << int(wish) << ", " << received.text);
    session s(wish);
    CHECK(s.on_frame(received) == expected);
    if (expected == step::fail) CHECK(s.failure() == errc::tls_required);
    if (expected == step::secure) CHECK(s.current() == phase::securing);
  }
}

TEST_CASE("the login follows once the link is secured", "[session][row4]") {
  session s(tls_need::always);
  REQUIRE(s.on_frame(demanding) == step::secure);
  CHECK_FALSE(s.restored());
  CHECK(s.secured() == step::send_connect);
  CHECK(s.current() == phase::await_pong);
  // An INFO over TLS repeats the demand; the link has what it wants.
  CHECK(s.on_frame(demanding) == step::info_changed);
}

TEST_CASE("nothing that comes in plain text after the INFO is taken for the server's", "[session][row4]") {
  for (const auto kind : {frame_kind::ping, frame_kind::pong, frame_kind::info, frame_kind::err, frame_kind::msg}) {
    session s(tls_need::when_asked);
    REQUIRE(s.on_frame(demanding) == step::secure);
    frame injected{};
    injected.kind = kind;
    injected.text = "{}";
    CHECK(s.on_frame(injected) == step::fail);
    CHECK(s.failure() == errc::protocol_error);
    CHECK(s.error().text == "bytes between INFO and TLS");
  }
}

TEST_CASE("a transport's reason is told unless the server gave one before", "[session]") {
  session s;
  CHECK(s.on_transport_error(errc::tls_failed, "alert") == step::fail);
  CHECK(s.failure() == errc::tls_failed);
  CHECK(s.error().text == "alert");
  session told;
  frame e{};
  e.kind = frame_kind::err;
  e.text = "'Authorization Violation'";
  told.on_frame(e);
  CHECK(told.on_transport_error(errc::tls_failed, "alert") == step::fail);
  CHECK(told.failure() == errc::authorization_violation);
}
