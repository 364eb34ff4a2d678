// SPDX-License-Identifier: Apache-2.0
// Where a test's server runs: in a container, or as a plain process where no engine answers.
#pragma once

#include <compass_fabric/testing/nats_server_options.hpp>

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
  /// True when a SIGSTOP has reached every thread of the server, or when that cannot be seen from here.
  virtual bool stands_still() = 0;
  /// Off its network, and back under the same address. Throw where the server has no network of its own.
  virtual void disconnect_network() = 0;
  virtual void connect_network() = 0;
  /// What it wrote to its console rather than to its log: why it could not start.
  virtual std::string console() = 0;
};

/// True when `automatic` means a container: `$COMPASS_FABRIC_SERVER_MODE` says so, or says nothing and an engine
/// answers. Throws `std::runtime_error` when it says anything else.
bool prefers_containers();

/// A host for a server that reads `config` and uses the directories `dirs`, which exist; nothing else need be visible.
/// The options decide which; on a network it is a container always. Says on standard error, once per process, what the
/// first one runs.
std::unique_ptr<server_host> make_server_host(const nats_server_options& options, const std::filesystem::path& config,
                                              const std::vector<std::filesystem::path>& dirs);

}  // namespace compass_fabric::testing
