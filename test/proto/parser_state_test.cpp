// SPDX-License-Identifier: Apache-2.0
// What the parser remembers from one call to the next.
#include "proto/parser.hpp"
#include "support/frame_recorder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric::proto;
using compass_fabric::testing::frame_recorder;

TEST_CASE("once the control line is known the reader is told how much completes the frame", "[parser]") {
  frame_recorder r;
  r.feed("MSG a 7 10\r");
  CHECK(r.needed() == 0);
  r.feed("\n");
  CHECK(r.needed() == 24);
  r.feed("0123456789\r");
  CHECK(r.needed() == 24);
  CHECK(r.frames().empty());
  r.feed("\n");
  CHECK(r.needed() == 0);
  CHECK(r.frames().size() == 1);
}

TEST_CASE("the control line is not read again while the payload arrives, and the bytes may move", "[parser]") {
  parser p;
  frame f{};
  std::string first = "HMSG subject 7 reply 2 5\r\nhh";
  REQUIRE(p.parse(first, f).status == parse_status::need_more);
  // Would be parsed differently, or refused, by a second look at verb, sid and sizes.
  const std::string later = "???? subject ? reply ? ?\r\nhhppp\r\nPING\r\n";
  first.assign(first.size(), '!');
  const auto r = p.parse(later, f);
  REQUIRE(r.status == parse_status::frame);
  CHECK(r.consumed == later.size() - 6);
  CHECK(f.sid == 7);
  CHECK(f.subject == "subject");
  CHECK(f.reply == "reply");
  CHECK(f.header_block == "hh");
  CHECK(f.payload == "ppp");
  CHECK(f.subject.data() == later.data() + 5);
}

TEST_CASE("nothing is made of nothing", "[parser]") {
  parser p;
  frame f{};
  CHECK(p.parse({}, f).status == parse_status::need_more);
  CHECK(p.parse("PIN", f).status == parse_status::need_more);
  CHECK(p.parse("PIN", f).status == parse_status::need_more);
  CHECK(p.needed() == 0);
}

TEST_CASE("an error is final", "[parser]") {
  parser p;
  frame f{};
  CHECK(p.error() == parse_error::none);
  CHECK(p.parse("bad\r\n", f).status == parse_status::error);
  CHECK(p.parse("PING\r\n", f).status == parse_status::error);
  CHECK(p.error() == parse_error::unknown_verb);
}

TEST_CASE("every parse error has a text of its own", "[parser]") {
  std::vector<std::string_view> texts;
  for (int e = 0; e <= static_cast<int>(parse_error::no_line_end) + 1; ++e)
    texts.push_back(to_string(static_cast<parse_error>(e)));
  CHECK(texts.back() == "unknown error");
  std::sort(texts.begin(), texts.end());
  CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end());
}
