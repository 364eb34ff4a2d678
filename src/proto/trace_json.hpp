// SPDX-License-Identifier: Apache-2.0
// Reads the report a server makes of a traced message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::proto {

struct traced_step {
  std::string type, name, account, subject, queue, stream, error;
  std::int64_t kind = 0;
};

struct traced_stop {
  std::string server_name, server_id;
  std::vector<traced_step> steps;
  std::int64_t hops = 0;
};

/// False when `json` is no such report.
bool read_trace(std::string_view json, traced_stop& out);

}  // namespace compass_fabric::proto
