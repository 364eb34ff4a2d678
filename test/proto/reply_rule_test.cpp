// SPDX-License-Identifier: Apache-2.0
#include "proto/reply_rule.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric::proto;
using namespace std::chrono_literals;
using verdict = reply_rule::verdict;

namespace {

const time_point start{};

}  // namespace

TEST_CASE("without further limits only the total time ends the replies", "[proto][row89]") {
  reply_rule rule({.total = 5s}, start);
  CHECK(rule.due() == start + 5s);
  for (int i = 0; i < 100; ++i) CHECK(rule.on_reply(reply_kind::ordinary, start + 1s) == verdict::take);
  CHECK(rule.due() == start + 5s);
  CHECK(rule.taken() == 100);
}

TEST_CASE("the last of a number of replies is kept and ends them", "[proto][row89]") {
  reply_rule rule({.total = 5s, .count = 2}, start);
  CHECK(rule.on_reply(reply_kind::ordinary, start) == verdict::take);
  CHECK(rule.on_reply(reply_kind::ordinary, start) == verdict::take_last);
}

TEST_CASE("stalling counts from the last reply, never before the first, never beyond the total", "[proto][row89]") {
  reply_rule rule({.total = 5s, .stall = 1s}, start);
  CHECK(rule.due() == start + 5s);
  CHECK(rule.on_reply(reply_kind::ordinary, start + 2s) == verdict::take);
  CHECK(rule.due() == start + 3s);
  CHECK(rule.on_reply(reply_kind::ordinary, start + 2900ms) == verdict::take);
  CHECK(rule.due() == start + 3900ms);
  CHECK(rule.on_reply(reply_kind::ordinary, start + 4500ms) == verdict::take);
  CHECK(rule.due() == start + 5s);
}

TEST_CASE("a sentinel ends at once and is no reply, also as the first", "[proto][row89]") {
  reply_rule rule({.total = 5s, .count = 1}, start);
  CHECK(rule.on_reply(reply_kind::sentinel, start) == verdict::end);
  CHECK(rule.taken() == 0);
}

TEST_CASE("no responders refuses before the first reply and means nothing after it", "[proto][row89]") {
  reply_rule refused({.total = 5s}, start);
  CHECK(refused.on_reply(reply_kind::no_responders, start) == verdict::refused);
  reply_rule rule({.total = 5s, .stall = 1s}, start);
  CHECK(rule.on_reply(reply_kind::ordinary, start) == verdict::take);
  CHECK(rule.on_reply(reply_kind::no_responders, start + 500ms) == verdict::ignore);
  CHECK(rule.due() == start + 1s);
  CHECK(rule.taken() == 1);
}
