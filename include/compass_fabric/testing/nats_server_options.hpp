// SPDX-License-Identifier: Apache-2.0
// What a test wants of its nats-server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace compass_fabric::testing {

class container_network;

/// Where a server runs.
enum class server_place {
  /// As `$COMPASS_FABRIC_SERVER_MODE` says (`process` or `container`); unset, in a container when an engine answers.
  automatic,
  process,
  container
};

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
  /// The routes of all nodes, as `address:port`.
  std::vector<std::string> routes = {};
};

struct nats_server_options {
  /// The server's name; needed in a cluster.
  std::string name = "test";
  server_place place = server_place::automatic;
  /// The program of a plain process; empty means `$NATS_SERVER`, else `nats-server` on PATH.
  std::filesystem::path binary = {};
  /// The image of a container; empty means `$COMPASS_FABRIC_SERVER_IMAGE`, else `nats` of the tested version.
  std::string image = {};
  /// Set: the container is on this network under `address`, and can be taken off it. Unset: it shares the network of
  /// the host, and `address` is loopback.
  std::shared_ptr<container_network> network = {};
  std::string address = "127.0.0.1";
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
