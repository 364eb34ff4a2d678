// SPDX-License-Identifier: Apache-2.0
// The body of a pull.
#pragma once

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

std::string to_json(const pull_request& request);

}  // namespace compass_fabric::jetstream
