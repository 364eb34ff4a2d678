// SPDX-License-Identifier: Apache-2.0
// A network of a test's own, from which a server can be taken off.
//
//   nats_server_options options;
//   options.network = std::make_shared<container_network>();
//   options.address = options.network->address(0);
//   nats_server server(options);
//   server.disconnect_network();
#pragma once

#include <cstddef>
#include <string>

namespace compass_fabric::testing {

/// True when a Docker engine answers.
bool container_engine_answers();

/// A bridge network of the Docker engine with a subnet of its own; removed with the object, or by a later test process
/// should this one be killed. Failures throw `std::runtime_error` with what the engine says.
class container_network {
 public:
  /// How many servers have an address of their own.
  static constexpr std::size_t size = 200;

  container_network();
  ~container_network();
  container_network(const container_network&) = delete;
  container_network& operator=(const container_network&) = delete;

  const std::string& name() const { return name_; }
  /// The address for server `index`, less than `size`; `std::out_of_range` beyond.
  std::string address(std::size_t index) const;

 private:
  std::string name_;
  std::string prefix_;
};

}  // namespace compass_fabric::testing
