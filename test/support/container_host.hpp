// SPDX-License-Identifier: Apache-2.0
// A test's server in a Docker container.
#pragma once

#include "support/server_host.hpp"

#include <string>
#include <vector>

namespace compass_fabric::testing {

/// The container shares the host's network, so that ports and addresses are the same as for a plain process, and runs
/// as the calling user, so that its files can be removed afterwards. It carries the label
/// `compass_fabric.test.pid` with our process id.
class container_host final : public server_host {
 public:
  container_host(std::string image, std::filesystem::path config, std::vector<std::filesystem::path> dirs);
  ~container_host() override;
  container_host(const container_host&) = delete;
  container_host& operator=(const container_host&) = delete;

  void start() override;
  void signal(int number) override;
  bool running() override;
  std::string console() override;

 private:
  std::string image_;
  std::filesystem::path config_;
  std::vector<std::filesystem::path> dirs_;
  std::string id_;
};

/// True when a Docker engine answers.
bool container_engine_answers();

/// Removes containers whose test process is gone without having removed them (it was killed).
void remove_orphaned_containers();

}  // namespace compass_fabric::testing
