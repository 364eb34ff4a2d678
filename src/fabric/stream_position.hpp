// SPDX-License-Identifier: Apache-2.0
// The newest place in the stream that this process has seen, by acks of its publishes and by deliveries.
#pragma once

#include <algorithm>
#include <cstdint>

namespace compass_fabric::fabric {

class stream_position {
 public:
  /// The stream stored or delivered `sequence`.
  void saw(std::uint64_t sequence) noexcept { newest_ = std::max(newest_, sequence); }
  /// True for a place that a new message cannot get in a stream that kept everything.
  bool holds(std::uint64_t sequence) const noexcept { return sequence <= newest_; }
  std::uint64_t newest() const noexcept { return newest_; }
  /// The stream ends at `last`, and from now on that is the truth.
  void rewind(std::uint64_t last) noexcept { newest_ = last; }

 private:
  std::uint64_t newest_ = 0;
};

}  // namespace compass_fabric::fabric
