// SPDX-License-Identifier: Apache-2.0
#include "testing/server_lookup.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

namespace compass_fabric::testing {
namespace {

constexpr const char* tested_image = "nats:2.15.2";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool can_run(const std::filesystem::path& file) {
  return ::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file);
}

std::string find_on_path() {
  std::istringstream dirs(variable("PATH"));
  for (std::string dir; std::getline(dirs, dir, ':');) {
    const auto candidate = std::filesystem::path(dir.empty() ? "." : dir) / "nats-server";
    if (can_run(candidate)) return candidate.string();
  }
  throw std::runtime_error("no nats-server: set NATS_SERVER to its path, or put nats-server on PATH");
}

}  // namespace

std::string find_server_binary(const nats_server_options& options) {
  auto named = options.binary.empty() ? variable("NATS_SERVER") : options.binary.string();
  if (named.empty()) return find_on_path();
  if (can_run(named)) return named;
  throw std::runtime_error("no program that can be run: " + named +
                           (options.binary.empty() ? ", which NATS_SERVER names" : ", which the options name"));
}

std::string choose_server_image(const nats_server_options& options) {
  if (!options.image.empty()) return options.image;
  const auto named = variable("COMPASS_FABRIC_SERVER_IMAGE");
  return named.empty() ? tested_image : named;
}

}  // namespace compass_fabric::testing
