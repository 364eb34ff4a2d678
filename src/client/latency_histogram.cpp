// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/latency_histogram.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace compass_fabric {
namespace {

constexpr unsigned step_bits = 4;  // 16 buckets for each doubling
constexpr std::uint64_t steps = std::uint64_t{1} << step_bits;

// Values below 16 have a bucket each; above, the bits behind the leading one choose among the 16 of its doubling.
std::size_t bucket_of(std::uint64_t value) noexcept {
  if (value < steps) return static_cast<std::size_t>(value);
  const auto shift = static_cast<unsigned>(std::bit_width(value)) - 1 - step_bits;
  const std::uint64_t bucket = (shift + 1) * steps + ((value >> shift) - steps);
  return std::min(static_cast<std::size_t>(bucket), latency_histogram::bucket_count - 1);
}

}  // namespace

latency_histogram::latency_histogram(const latency_histogram& other) { *this = other; }

latency_histogram& latency_histogram::operator=(const latency_histogram& other) {
  if (this == &other) return *this;
  counts_ = other.counts_ ? std::make_unique<std::array<std::uint64_t, bucket_count>>(*other.counts_) : nullptr;
  count_ = other.count_;
  sum_ = other.sum_;
  min_ = other.min_;
  max_ = other.max_;
  return *this;
}

void latency_histogram::record(std::chrono::nanoseconds value) {
  value = std::max(value, std::chrono::nanoseconds(0));
  if (!counts_) counts_ = std::make_unique<std::array<std::uint64_t, bucket_count>>();
  ++(*counts_)[bucket_of(static_cast<std::uint64_t>(value.count()))];
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void latency_histogram::merge(const latency_histogram& other) {
  if (!other.counts_) return;
  if (!counts_) counts_ = std::make_unique<std::array<std::uint64_t, bucket_count>>();
  for (std::size_t i = 0; i < bucket_count; ++i) (*counts_)[i] += (*other.counts_)[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void latency_histogram::clear() noexcept { *this = latency_histogram(); }

std::chrono::nanoseconds latency_histogram::mean() const noexcept {
  return count_ == 0 ? std::chrono::nanoseconds(0) : sum_ / static_cast<std::int64_t>(count_);
}

std::chrono::nanoseconds latency_histogram::lower_bound(std::size_t bucket) noexcept {
  if (bucket < steps) return std::chrono::nanoseconds(bucket);
  const std::uint64_t shift = bucket / steps - 1;
  return std::chrono::nanoseconds((bucket % steps + steps) << shift);
}

std::chrono::nanoseconds latency_histogram::percentile(double share) const noexcept {
  if (!counts_) return std::chrono::nanoseconds(0);
  const double rank = std::ceil(std::clamp(share, 0.0, 1.0) * static_cast<double>(count_));
  const auto wanted = std::max(static_cast<std::uint64_t>(rank), std::uint64_t{1});
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i + 1 < bucket_count; ++i) {
    seen += (*counts_)[i];
    if (seen >= wanted) return std::min(lower_bound(i + 1) - std::chrono::nanoseconds(1), max_);
  }
  return max_;
}

}  // namespace compass_fabric
