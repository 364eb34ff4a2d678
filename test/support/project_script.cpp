// SPDX-License-Identifier: Apache-2.0
#include "support/project_script.hpp"

#include "support/process.hpp"

#include <cstdlib>
#include <stdexcept>

namespace compass_fabric::testing {
namespace {

// The last line that `dev <command>` prints: a path or a name.
std::string ask(const std::string& command) {
  auto result = run_process({COMPASS_FABRIC_DEV_SCRIPT, command}, {}, std::chrono::minutes{10});
  while (result.out.ends_with('\n')) result.out.pop_back();
  if (result.status != 0 || result.out.empty()) throw std::runtime_error("dev " + command + ": " + result.err);
  return result.out.substr(result.out.rfind('\n') + 1);
}

}  // namespace

std::string nats_server_binary() {
  if (const char* path = std::getenv("NATS_SERVER"); path != nullptr && *path != '\0') return path;
  static const std::string found = ask("which-server");
  return found;
}

std::string nats_server_image() {
  static const std::string found = ask("image");
  return found;
}

}  // namespace compass_fabric::testing
