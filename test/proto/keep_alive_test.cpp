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
