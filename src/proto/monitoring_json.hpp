// SPDX-License-Identifier: Apache-2.0
// Reads the server's monitoring documents. Members that are missing or of another type keep their defaults: servers of
// every version are read.
#pragma once

#include <optional>
#include <string_view>

#include <compass_fabric/monitoring_data.hpp>

namespace compass_fabric::proto {

/// Each fills `out` from a page's JSON; false when that is no JSON object.
bool read_page(std::string_view json, monitoring::varz& out);
bool read_page(std::string_view json, monitoring::connz& out);
bool read_page(std::string_view json, monitoring::jsz& out);
bool read_page(std::string_view json, monitoring::healthz& out);

/// Takes an answer over `$SYS` apart: who sent it, and the page inside it. Nothing when it is no such answer or reports
/// an error.
struct system_answer {
  std::string server_id;
  std::string server_name;
  std::string data;
};
std::optional<system_answer> read_system_answer(std::string_view json);

}  // namespace compass_fabric::proto
