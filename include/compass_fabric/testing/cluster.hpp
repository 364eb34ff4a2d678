// SPDX-License-Identifier: Apache-2.0
// Three real servers, routed together, with JetStream.
#pragma once

#include <compass_fabric/testing/nats_server.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace compass_fabric::testing {

/// A cluster of three, on loopback or on a network of containers; every node can be killed, paused, restarted and, on
/// such a network, taken off it on its own.
class cluster {
 public:
  static constexpr std::size_t size = 3;

  /// Starts the nodes and waits until they have chosen a meta leader. Authentication, payload limit, TLS and extra
  /// configuration of `options` go to every node; its name, ports and store do not. With `options.network` node `i` has
  /// that network's address `i`.
  explicit cluster(const nats_server_options& options = {});

  nats_server& node(std::size_t index) { return *nodes_.at(index); }
  /// The urls of all nodes, separated by commas.
  std::string urls() const;

  /// The name of the meta leader as node `index` sees it; empty while there is none.
  std::string leader_seen_by(std::size_t index) const;
  /// Waits until `running` nodes, the leader among them, agree on one meta leader, and it knows them;
  /// returns its index.
  std::size_t wait_leader(std::size_t running = size, milliseconds limit = seconds{60});

 private:
  std::optional<std::size_t> agreed_leader(std::size_t running) const;
  bool knows_others(std::size_t leader, std::size_t others) const;

  std::array<std::unique_ptr<nats_server>, size> nodes_;
};

}  // namespace compass_fabric::testing
