// SPDX-License-Identifier: Apache-2.0
// A test's server in a Docker container.
#pragma once

#include <compass_fabric/testing/container_network.hpp>

#include <memory>
#include <string>
#include <vector>

#include "testing/server_host.hpp"

namespace compass_fabric::testing {

/// What a container is made of.
struct container_setup {
  std::string image = {};
  std::filesystem::path config = {};
  std::vector<std::filesystem::path> dirs = {};
  /// None: the container shares the host's network, so that ports and addresses are the same as for a plain process.
  std::shared_ptr<container_network> network = {};
  std::string address = {};
};

/// The container runs as the calling user, so that its files can be removed afterwards, and carries the label of
/// `owner_label()`.
class container_host final : public server_host {
 public:
  explicit container_host(container_setup setup);
  ~container_host() override;
  container_host(const container_host&) = delete;
  container_host& operator=(const container_host&) = delete;

  void start() override;
  void signal(int number) override;
  bool running() override;
  bool stands_still() override;
  void disconnect_network() override;
  void connect_network() override;
  std::string console() override;

 private:
  const std::string& network_name() const;

  container_setup setup_;
  std::string id_;
};

}  // namespace compass_fabric::testing
