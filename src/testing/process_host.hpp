// SPDX-License-Identifier: Apache-2.0
// A test's server as a plain process.
#pragma once

#include "testing/process.hpp"
#include "testing/server_host.hpp"

#include <memory>

namespace compass_fabric::testing {

class process_host final : public server_host {
 public:
  process_host(std::string binary, std::filesystem::path config);

  void start() override;
  void signal(int number) override;
  bool running() override;
  bool stands_still() override;
  /// Throw: a plain process has no network of its own.
  void disconnect_network() override;
  void connect_network() override;
  std::string console() override;

 private:
  std::string binary_;
  std::filesystem::path config_;
  std::unique_ptr<process> server_;
};

}  // namespace compass_fabric::testing
