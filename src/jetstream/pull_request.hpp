// SPDX-License-Identifier: Apache-2.0
// The body of a pull.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>

namespace compass_fabric::jetstream {

/// What a pull asks for; a zero member is left out.
struct pull_request {
  std::size_t batch = 1;
  std::size_t max_bytes = 0;
  std::chrono::nanoseconds expires{0};
  std::chrono::nanoseconds idle_heartbeat{0};
  bool no_wait = false;
};

/// As the server counts; what is beyond that range (292 years) becomes the longest time in it.
constexpr std::chrono::nanoseconds in_nanoseconds(std::chrono::milliseconds time) noexcept {
  return std::min(time, std::chrono::floor<std::chrono::milliseconds>(std::chrono::nanoseconds::max()));
}

std::string to_json(const pull_request& request);

}  // namespace compass_fabric::jetstream
