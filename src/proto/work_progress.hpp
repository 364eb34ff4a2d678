// SPDX-License-Identifier: Apache-2.0
// Which numbered pieces of work are being done, where several may be done at a time and end in any order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace compass_fabric::proto {

/// Numbers rise in the order the work is begun. Few are in progress at a time: they are searched one by one.
class work_progress {
 public:
  void begin(std::uint64_t number) { working_.push_back(number); }
  void finish(std::uint64_t number) noexcept {
    const auto at = std::find(working_.begin(), working_.end(), number);
    if (at != working_.end()) working_.erase(at);
  }
  std::size_t size() const noexcept { return working_.size(); }
  /// True when everything below `number` that was begun has finished.
  bool none_below(std::uint64_t number) const noexcept { return working_.empty() || working_.front() >= number; }

 private:
  std::vector<std::uint64_t> working_;  // in the order they were begun
};

}  // namespace compass_fabric::proto
