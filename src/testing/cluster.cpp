// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/cluster.hpp>

#include <compass_fabric/testing/container_network.hpp>
#include <compass_fabric/testing/eventually.hpp>
#include "testing/free_port.hpp"
#include "testing/json_value.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>

namespace compass_fabric::testing {
namespace {

std::string node_name(std::size_t index) { return "n" + std::to_string(index); }

}  // namespace

cluster::cluster(const nats_server_options& options) {
  auto node = options;
  node.cluster.cluster_name = "test";
  const auto address = [&](std::size_t i) { return options.network ? options.network->address(i) : options.address; };
  std::array<std::uint16_t, size> route_ports;
  for (auto& port : route_ports) port = free_port();
  for (std::size_t i = 0; i < size; ++i) {
    node.cluster.routes.push_back(address(i) + ":" + std::to_string(route_ports[i]));
  }
  node.wait = false;
  node.port = 0;
  node.store_dir.clear();
  for (std::size_t i = 0; i < size; ++i) {
    node.name = node_name(i);
    node.address = address(i);
    node.cluster.route_port = route_ports[i];
    nodes_[i] = std::make_unique<nats_server>(node);
  }
  for (const auto& server : nodes_) server->wait_ready();
  if (options.jetstream) wait_leader();
}

std::string cluster::urls() const {
  std::string result;
  for (const auto& server : nodes_) result += (result.empty() ? "" : ",") + server->url();
  return result;
}

std::string cluster::leader_seen_by(std::size_t index) const {
  try {
    return json_string(nodes_.at(index)->monitor("/jsz", seconds{1}), "/meta_cluster/leader").value_or("");
  } catch (const std::exception&) {  // stopped, paused or not up yet: it sees nothing
    return "";
  }
}

// The survivors of a killed leader name it for some seconds more, so the leader itself must agree.
std::optional<std::size_t> cluster::agreed_leader(std::size_t running) const {
  std::array<std::string, size> seen;
  for (std::size_t i = 0; i < size; ++i) seen[i] = leader_seen_by(i);
  for (std::size_t i = 0; i < size; ++i) {
    const auto votes = static_cast<std::size_t>(std::count(seen.begin(), seen.end(), node_name(i)));
    if (votes >= running && seen[i] == node_name(i)) return i;
  }
  return std::nullopt;
}

std::size_t cluster::wait_leader(std::size_t running, milliseconds limit) {
  std::optional<std::size_t> leader;
  const auto agreed = [&] { return (leader = agreed_leader(running)).has_value(); };
  if (!eventually_blocking(agreed, limit)) throw std::runtime_error("cluster: no meta leader");
  return *leader;
}

}  // namespace compass_fabric::testing
