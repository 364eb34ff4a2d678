// SPDX-License-Identifier: Apache-2.0
// What a `fault_proxy` does to the bytes that pass it.
#pragma once

#include <compass_fabric/testing/fault_proxy.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

namespace compass_fabric::testing {

enum class flow { open, paused, blackhole };

/// The rules of one direction, shared by all connections of a proxy.
struct proxy_rules {
  flow state = flow::open;
  std::size_t least = 0;
  std::size_t most = 0;
  milliseconds delay{0};
  rewriter change = {};
  std::optional<std::uint64_t> cut_after = {};
  std::uint64_t bytes = 0;

  /// The size of the next piece when `available` bytes wait.
  std::size_t next_piece(std::size_t available, std::mt19937_64& random) const;
};

using proxy_rule_pair = std::array<proxy_rules, 2>;

}  // namespace compass_fabric::testing
