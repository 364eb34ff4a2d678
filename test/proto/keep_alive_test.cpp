// SPDX-License-Identifier: Apache-2.0
#include "proto/keep_alive.hpp"

#include <catch2/catch_test_macros.hpp>

using compass_fabric::proto::keep_alive;
using verdict = keep_alive::verdict;

TEST_CASE("a link without a byte is dead after the permitted number of pings", "[keep_alive]") {
  for (const int most : {1, 2, 5}) {
    keep_alive rule(most);
    for (int i = 0; i < most; ++i) CHECK(rule.on_interval() == verdict::send_ping);
    CHECK(rule.on_interval() == verdict::dead);
    CHECK(rule.on_interval() == verdict::dead);
  }
}

TEST_CASE("any byte proves that the link lives", "[keep_alive]") {
  keep_alive rule(2);
  for (int i = 0; i < 10; ++i) {
    CHECK(rule.on_interval() == verdict::send_ping);
    CHECK(rule.on_interval() == verdict::send_ping);
    rule.on_data();
  }
  CHECK(rule.on_interval() == verdict::send_ping);
  CHECK(rule.on_interval() == verdict::send_ping);
  CHECK(rule.on_interval() == verdict::dead);
}

TEST_CASE("bytes before the first interval buy no extra time", "[keep_alive]") {
  keep_alive rule(1);
  rule.on_data();
  rule.on_data();
  CHECK(rule.on_interval() == verdict::send_ping);
  CHECK(rule.on_interval() == verdict::dead);
}

TEST_CASE("the crumbs of a message that does not end prove nothing, its bulk does", "[keep_alive]") {
  keep_alive rule(2);
  const auto least = keep_alive::least_progress;
  for (int i = 0; i < 2; ++i) {
    CHECK(rule.on_interval() == verdict::send_ping);
    rule.on_part(least - 1);  // not added up over the intervals
  }
  CHECK(rule.on_interval() == verdict::dead);

  keep_alive busy(1);
  for (int i = 0; i < 10; ++i) {
    CHECK(busy.on_interval() == verdict::send_ping);
    busy.on_part(least / 2);
    busy.on_part(least - least / 2);
  }
  busy.on_part(least - 1);
  busy.on_data();
  CHECK(busy.on_interval() == verdict::send_ping);
  busy.on_part(1);
  CHECK(busy.on_interval() == verdict::dead);
}
