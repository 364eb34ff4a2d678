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

// A leader that has not heard of the others yet refuses to place streams on them.
bool cluster::knows_others(std::size_t leader, std::size_t others) const {
  try {
    const auto page = nodes_.at(leader)->monitor("/jsz", seconds{1});
    std::size_t known = 0;
    for (std::size_t i = 0; i + 1 < size; ++i) {
      const auto peer = "/meta_cluster/replicas/" + std::to_string(i);
      if (json_bool(page, peer + "/current") == true && json_bool(page, peer + "/offline") != true) ++known;
    }
    return known >= others;
  } catch (const std::exception&) {  // stopped meanwhile
    return false;
  }
}

std::size_t cluster::wait_leader(std::size_t running, milliseconds limit) {
  std::optional<std::size_t> leader;
  const auto ready = [&] {
    return (leader = agreed_leader(running)).has_value() && knows_others(*leader, running - 1);
  };
  if (!eventually_blocking(ready, limit)) throw std::runtime_error("cluster: no meta leader that knows the others");
  return *leader;
}

}  // namespace compass_fabric::testing
