// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/latency_histogram.hpp>

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>

using compass_fabric::latency_histogram;
using namespace std::chrono_literals;

TEST_CASE("every value lies in its bucket, and no bucket is wider than a sixteenth", "[client][row98]") {
  for (std::size_t i = 0; i + 1 < latency_histogram::bucket_count; ++i) {
    const auto low = latency_histogram::lower_bound(i);
    const auto next = latency_histogram::lower_bound(i + 1);
    REQUIRE(next > low);
    REQUIRE((next - low).count() <= std::max<std::int64_t>(1, low.count() / 16));
    for (const auto value : {low, next - 1ns}) {
      latency_histogram h;
      h.record(value);
      REQUIRE(h.count_in(i) == 1);
    }
  }
}

TEST_CASE("an empty histogram answers with zeros", "[client][row98]") {
  const latency_histogram h;
  CHECK(h.count() == 0);
  CHECK(h.min() == 0ns);
  CHECK(h.max() == 0ns);
  CHECK(h.mean() == 0ns);
  CHECK(h.percentile(0.5) == 0ns);
  CHECK(h.count_in(3) == 0);
}

TEST_CASE("percentiles are exact for small values and within a sixteenth above", "[client][row98]") {
  latency_histogram h;
  for (int i = 1; i <= 10; ++i) h.record(std::chrono::nanoseconds(i));
  CHECK(h.percentile(0) == 1ns);
  CHECK(h.percentile(0.5) == 5ns);
  CHECK(h.percentile(1) == 10ns);
  CHECK(h.mean() == 5ns);
  h.clear();
  for (int i = 1; i <= 1000; ++i) h.record(std::chrono::microseconds(i));
  CHECK(h.percentile(0.99) >= 990us);
  CHECK(h.percentile(0.99) <= 990us * 17 / 16);
  CHECK(h.percentile(1) == 1000us);
  CHECK(h.min() == 1us);
  CHECK(h.sum() == 500500us);
}

TEST_CASE("values out of range count at the ends", "[client][row98]") {
  latency_histogram h;
  h.record(-5ns);
  h.record(100h);
  CHECK(h.count_in(0) == 1);
  CHECK(h.count_in(latency_histogram::bucket_count - 1) == 1);
  CHECK(h.percentile(1) == 100h);
}

TEST_CASE("histograms are copied and merged", "[client][row98]") {
  latency_histogram a;
  a.record(1us);
  latency_histogram b = a;
  b.record(3us);
  CHECK(a.count() == 1);
  a.merge(b);
  a.merge(latency_histogram());
  CHECK(a.count() == 3);
  CHECK(a.sum() == 5us);
  CHECK(a.max() == 3us);
  latency_histogram c;
  c.merge(a);
  CHECK(c.count() == 3);
  CHECK(c.min() == 1us);
  c = latency_histogram();
  CHECK(c.count() == 0);
}
