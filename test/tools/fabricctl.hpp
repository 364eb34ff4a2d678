// SPDX-License-Identifier: Apache-2.0
// Runs the real fabricctl against a real server.
#pragma once

#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include "testing/process.hpp"

#include <string>
#include <vector>

namespace fabricctl_test {

using compass_fabric::testing::default_wait;
using compass_fabric::testing::eventually_blocking;
using compass_fabric::testing::nats_server;
using compass_fabric::testing::process;
using compass_fabric::testing::process_options;
using compass_fabric::testing::process_result;

/// The command line that runs `arguments` against `server`.
inline std::vector<std::string> command_line(const nats_server& server, const std::vector<std::string>& arguments) {
  std::vector<std::string> line{COMPASS_FABRIC_FABRICCTL, "--server", server.url()};
  line.insert(line.end(), arguments.begin(), arguments.end());
  return line;
}

inline process_result fabricctl(const nats_server& server, const std::vector<std::string>& arguments,
                                const process_options& options = {}) {
  return compass_fabric::testing::run_process(command_line(server, arguments), options, std::chrono::seconds(60));
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (auto end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
    all.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

/// One reference as fabricctl prints and reads it.
inline std::string reference(const std::string& tenant, const std::string& kind, const std::string& row) {
  return R"({"tenant":")" + tenant + R"(","kind":")" + kind + R"(","row_id":")" + row + R"("})";
}

}  // namespace fabricctl_test
