// SPDX-License-Identifier: Apache-2.0
// What a `fault_proxy` does to the bytes that pass it.
#pragma once

#include "support/deadline.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

/// Where bytes are going.
enum class direction : std::size_t { to_server = 0, to_client = 1 };

/// Gets the bytes of one read, returns those to forward.
using rewriter = std::function<std::string(std::string_view)>;

/// A rewriter that sees whole lines, with their line end: bytes after the last line end wait for the rest of their
/// line. `change` returns the line to forward, empty to drop it.
rewriter by_line(std::function<std::string(std::string_view)> change);

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
