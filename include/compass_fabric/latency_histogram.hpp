// SPDX-License-Identifier: Apache-2.0
// How long something took, over many times: counts in buckets that widen with the value, in fixed memory.
//
//   latency_histogram h;
//   h.record(12us);
//   auto p99 = h.percentile(0.99);
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace compass_fabric {

/// Durations from 0 to about 18 minutes, each counted in a bucket at most 1/16 wider than its lower bound; longer ones
/// count in the last. About 5 KiB, taken with the first record. Threads: distinct objects safe, shared objects unsafe.
class latency_histogram {
 public:
  latency_histogram() noexcept = default;
  latency_histogram(const latency_histogram& other);
  latency_histogram& operator=(const latency_histogram& other);
  latency_histogram(latency_histogram&&) noexcept = default;
  latency_histogram& operator=(latency_histogram&&) noexcept = default;

  /// Counts `value`; negative ones count as 0.
  void record(std::chrono::nanoseconds value);
  /// Adds the counts of `other`.
  void merge(const latency_histogram& other);
  void clear() noexcept;

  std::uint64_t count() const noexcept { return count_; }
  std::chrono::nanoseconds sum() const noexcept { return sum_; }
  /// 0 when nothing was recorded.
  std::chrono::nanoseconds min() const noexcept { return count_ == 0 ? std::chrono::nanoseconds(0) : min_; }
  std::chrono::nanoseconds max() const noexcept { return max_; }
  std::chrono::nanoseconds mean() const noexcept;
  /// The upper bound of the bucket that holds the value at `share` (0..1) of all values in order, at most `max()`; 0
  /// when nothing was recorded.
  std::chrono::nanoseconds percentile(double share) const noexcept;

  /// Buckets, for exporters: their number, the lowest value that counts in one, and how many did.
  static constexpr std::size_t bucket_count = 16 * 37;
  static std::chrono::nanoseconds lower_bound(std::size_t bucket) noexcept;
  std::uint64_t count_in(std::size_t bucket) const noexcept { return counts_ ? (*counts_)[bucket] : 0; }

 private:
  std::unique_ptr<std::array<std::uint64_t, bucket_count>> counts_;
  std::uint64_t count_ = 0;
  std::chrono::nanoseconds sum_{0};
  std::chrono::nanoseconds min_{std::chrono::nanoseconds::max()};
  std::chrono::nanoseconds max_{0};
};

}  // namespace compass_fabric
