// SPDX-License-Identifier: Apache-2.0
// What a test wants of its nats-server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace compass_fabric::testing {

/// Files for a server that speaks TLS on its client port; all in one directory.
struct server_tls {
  std::filesystem::path cert = {};
  std::filesystem::path key = {};
  /// Set: clients must show a certificate signed by this authority.
  std::filesystem::path client_ca = {};
  /// Further members of the block, such as `handshake_first: true`.
  std::string extra = {};
};

/// One server's place in a cluster.
struct cluster_node {
  std::string cluster_name = {};
  std::uint16_t route_port = 0;
  /// The route ports of all nodes.
  std::vector<std::uint16_t> routes = {};
};

struct nats_server_options {
  /// The server's name; needed in a cluster.
  std::string name = "test";
  bool jetstream = true;
  /// Where streams are kept; empty means a directory that lives as long as the object (so across `restart`).
  std::filesystem::path store_dir = {};
  std::string user = {};
  std::string password = {};
  std::string token = {};
  /// Bytes; 0 leaves the server's default of 1 MiB.
  std::size_t max_payload = 0;
  server_tls tls = {};
  cluster_node cluster = {};
  /// The client port; 0 means a free one. Either way it stays the same across restarts.
  std::uint16_t port = 0;
  /// Further configuration, appended as it is.
  std::string extra_config = {};
  /// False: the constructor returns at once, call `wait_ready` later.
  bool wait = true;
};

}  // namespace compass_fabric::testing
