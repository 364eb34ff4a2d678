// SPDX-License-Identifier: Apache-2.0
// A point in time by which a test's wait must have ended.
#pragma once

#include <chrono>

namespace compass_fabric::testing {

using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// How long a wait of a test may take unless it says otherwise; generous, for sanitizers on a loaded machine.
inline constexpr milliseconds default_wait{20'000};

/// Counts down from its making.
class deadline {
 public:
  explicit deadline(milliseconds limit) : end_(clock::now() + limit) {}

  bool passed() const { return clock::now() >= end_; }

  /// What is left, never negative, rounded up so that a wait of this length reaches the end.
  milliseconds left() const {
    const auto rest = std::chrono::ceil<milliseconds>(end_ - clock::now());
    return rest.count() > 0 ? rest : milliseconds{0};
  }

 private:
  clock::time_point end_;
};

}  // namespace compass_fabric::testing
