// SPDX-License-Identifier: Apache-2.0
#include "fabric/retry.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric::fabric;
using namespace std::chrono_literals;

namespace {

attempt ended(outcome result, std::optional<std::uint64_t> delivered, bool lapsed = false) {
  return {result, result == outcome::handled ? "" : "boom", delivered, lapsed};
}

verdict after(const attempt& finished, std::uint64_t budget = 5) { return decide(finished, {}, budget).what; }

}  // namespace

TEST_CASE("[000-75] a handled event is acked, whatever its count", "[fabric]") {
  for (const auto count : {1, 5, 6}) CHECK(after(ended(outcome::handled, count)) == verdict::ack);
  CHECK(after(ended(outcome::handled, std::nullopt)) == verdict::ack);
  CHECK(after(ended(outcome::handled, 5, true)) == verdict::ack);
}

TEST_CASE("[000-73] an undecodable event is parked on its first delivery", "[fabric]") {
  CHECK(after(ended(outcome::undecodable, 1)) == verdict::park);
  CHECK(after(ended(outcome::undecodable, std::nullopt)) == verdict::park);
}

TEST_CASE("[000-77][000-78] a failure is handed back at once below the budget and parked at it", "[fabric]") {
  for (std::uint64_t count = 1; count != 5; ++count) {
    const auto next = decide(ended(outcome::failed, count), {}, 5);
    CHECK(next.what == verdict::nak);
    CHECK(next.delay == 0ms);
  }
  CHECK(after(ended(outcome::failed, 5)) == verdict::park);
  CHECK(after(ended(outcome::failed, 6)) == verdict::park);
}

TEST_CASE("[000-68] a budget of one parks on the first failure", "[fabric]") {
  CHECK(after(ended(outcome::failed, 1), 1) == verdict::park);
  CHECK(after(ended(outcome::failed, 1), 2) == verdict::nak);
  CHECK(after(ended(outcome::failed, 2), 2) == verdict::park);
}

TEST_CASE("[000-80] without metadata a failure is handed back and the server's budget decides", "[fabric]") {
  CHECK(after(ended(outcome::failed, std::nullopt), 1) == verdict::nak);
  CHECK(after(ended(outcome::failed, std::nullopt), 5) == verdict::nak);
}

TEST_CASE("[C058] a retry policy paces attempts by the server's count and repeats its last delay", "[fabric]") {
  const retry_policy policy{.failure_delays = {1s, 5s, 10s}};
  CHECK(decide(ended(outcome::failed, 1), policy, 9).delay == 1s);
  CHECK(decide(ended(outcome::failed, 2), policy, 9).delay == 5s);
  CHECK(decide(ended(outcome::failed, 3), policy, 9).delay == 10s);
  CHECK(decide(ended(outcome::failed, 8), policy, 9).delay == 10s);
  CHECK(decide(ended(outcome::failed, std::nullopt), policy, 9).delay == 1s);
  CHECK(decide(ended(outcome::failed, 0), policy, 9).delay == 1s);
  CHECK(decide(ended(outcome::failed, 9), policy, 9).what == verdict::park);
}

TEST_CASE("[D1] a transient failure is held, also at the budget, until its limit", "[fabric]") {
  auto finished = ended(outcome::transient, 5);
  CHECK(after(finished) == verdict::hold);
  finished.held = retry_policy{}.transient_limit;
  CHECK(after(finished) == verdict::park);
  finished.num_delivered = 1;
  CHECK(after(finished) == verdict::nak);
}

TEST_CASE("[D18] a failure whose lease has lapsed is left to the server", "[fabric]") {
  CHECK(after(ended(outcome::failed, 5, true)) == verdict::leave);
  CHECK(after(ended(outcome::failed, 1, true)) == verdict::leave);
  CHECK(after(ended(outcome::transient, 1, true)) == verdict::leave);
}

TEST_CASE("[D1] the pause doubles with each transient failure in a row up to its bound", "[fabric]") {
  const retry_policy policy;
  CHECK(transient_pause(policy, 1) == 100ms);
  CHECK(transient_pause(policy, 2) == 200ms);
  CHECK(transient_pause(policy, 5) == 1600ms);
  CHECK(transient_pause(policy, 10) == 30s);
  CHECK(transient_pause(policy, 4'000'000'000U) == 30s);
}
