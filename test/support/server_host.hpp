// SPDX-License-Identifier: Apache-2.0
// Where a test's server runs: in a container, or as a plain process where no engine answers.
#pragma once

#include "support/deadline.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace compass_fabric::testing {

/// One place for one server. The destructor ends what runs there and leaves nothing.
class server_host {
 public:
  virtual ~server_host() = default;

  /// Starts the server with a configuration file; not while it runs.
  virtual void start() = 0;
  /// Sends a signal to the server.
  virtual void signal(int number) = 0;
  virtual bool running() = 0;
  /// What it wrote to its console rather than to its log: why it could not start.
  virtual std::string console() = 0;
};

/// A host for a server that reads `config` and uses the directories `dirs`, which exist; nothing else need be visible.
/// `COMPASS_FABRIC_SERVER_MODE=process|container` decides; unset, a container when an engine answers. Says which on
/// standard error once per process.
std::unique_ptr<server_host> make_server_host(const std::filesystem::path& config,
                                              const std::vector<std::filesystem::path>& dirs);

}  // namespace compass_fabric::testing
