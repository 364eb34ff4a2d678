// SPDX-License-Identifier: Apache-2.0
// The time limits of a subscription: how long the first message, the next one and the whole may take.
#pragma once

#include <algorithm>
#include <chrono>

#include "proto/deadline_queue.hpp"

namespace compass_fabric::proto {

/// Zero = no such limit.
struct watch_limits {
  std::chrono::milliseconds first{0};
  std::chrono::milliseconds idle{0};
  std::chrono::milliseconds total{0};

  bool any() const noexcept { return first.count() > 0 || idle.count() > 0 || total.count() > 0; }
};

/// Asked with the time; a message only leaves its time behind, so that busy subscriptions move no timer.
class subscription_watch {
 public:
  subscription_watch(const watch_limits& limits, time_point start) noexcept
      : limits_(limits), last_(start), end_(limit_from(start, limits.total)) {}

  void on_message(time_point now) noexcept {
    last_ = now;
    seen_ = true;
  }
  /// When a limit is reached unless a message comes before; time_point::max() = never. Until the first message, `idle`
  /// counts from the start where `first` is not set.
  time_point due() const noexcept {
    const bool waits_for_first = !seen_ && limits_.first.count() > 0;
    return std::min(end_, limit_from(last_, waits_for_first ? limits_.first : limits_.idle));
  }
  bool expired(time_point now) const noexcept { return due() <= now; }

 private:
  static time_point limit_from(time_point start, std::chrono::milliseconds limit) noexcept {
    return limit.count() > 0 ? deadline_after(start, limit) : time_point::max();
  }

  watch_limits limits_;
  time_point last_;
  time_point end_;
  bool seen_ = false;
};

}  // namespace compass_fabric::proto
