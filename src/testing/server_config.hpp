// SPDX-License-Identifier: Apache-2.0
// The configuration file of a test's server.
#pragma once

#include <compass_fabric/testing/nats_server_options.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace compass_fabric::testing {

struct server_places {
  std::uint16_t client_port = 0;
  std::uint16_t http_port = 0;
  std::filesystem::path store_dir = {};
  std::filesystem::path log_file = {};
};

/// The file's text. JetStream always gets the sync interval of production [000-56].
std::string server_config(const nats_server_options& options, const server_places& places);

}  // namespace compass_fabric::testing
