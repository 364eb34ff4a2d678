// SPDX-License-Identifier: Apache-2.0
#include "proto/work_progress.hpp"

#include <catch2/catch_test_macros.hpp>

using compass_fabric::proto::work_progress;

TEST_CASE("work that ends out of order is done only up to the oldest still running", "[proto][row83]") {
  work_progress progress;
  CHECK(progress.none_below(100));
  for (std::uint64_t n = 1; n <= 3; ++n) progress.begin(n);
  CHECK(progress.size() == 3);
  CHECK(progress.none_below(1));
  CHECK_FALSE(progress.none_below(2));
  progress.finish(2);
  CHECK_FALSE(progress.none_below(2));
  progress.finish(1);
  CHECK(progress.none_below(3));
  CHECK_FALSE(progress.none_below(4));
  progress.finish(3);
  progress.finish(3);
  CHECK(progress.none_below(4));
  CHECK(progress.size() == 0);
}
