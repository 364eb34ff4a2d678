// SPDX-License-Identifier: Apache-2.0
#include "proto/subscription_watch.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric::proto;
using namespace std::chrono_literals;

namespace {

const time_point start{};
constexpr auto never = time_point::max();

}  // namespace

TEST_CASE("without limits nothing is ever due", "[proto][row69]") {
  const watch_limits none;
  CHECK_FALSE(none.any());
  subscription_watch watch(none, start);
  watch.on_message(start + 1s);
  CHECK(watch.due() == never);
  CHECK_FALSE(watch.expired(start + 100h));
}

TEST_CASE("the first message has a limit of its own", "[proto][row69]") {
  subscription_watch watch({.first = 5s}, start);
  CHECK(watch.due() == start + 5s);
  CHECK_FALSE(watch.expired(start + 4999ms));
  CHECK(watch.expired(start + 5s));
  watch.on_message(start + 4s);
  CHECK(watch.due() == never);
}

TEST_CASE("the idle limit counts from the last message, or from the start", "[proto][row69]") {
  subscription_watch watch({.idle = 2s}, start);
  CHECK(watch.due() == start + 2s);
  watch.on_message(start + 1s);
  CHECK(watch.due() == start + 3s);
  watch.on_message(start + 2s);
  CHECK(watch.due() == start + 4s);
}

TEST_CASE("with both, idle begins at the first message", "[proto][row69]") {
  subscription_watch watch({.first = 10s, .idle = 2s}, start);
  CHECK(watch.due() == start + 10s);
  watch.on_message(start + 9s);
  CHECK(watch.due() == start + 11s);
}

TEST_CASE("the total limit wins when it is nearer, whatever arrives", "[proto][row69]") {
  subscription_watch watch({.first = 1s, .idle = 2s, .total = 3s}, start);
  CHECK(watch.due() == start + 1s);
  watch.on_message(start + 500ms);
  CHECK(watch.due() == start + 2500ms);
  watch.on_message(start + 2400ms);
  CHECK(watch.due() == start + 3s);
  CHECK(watch.expired(start + 3s));
}
