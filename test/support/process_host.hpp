// SPDX-License-Identifier: Apache-2.0
// A test's server as a plain process.
#pragma once

#include "support/process.hpp"
#include "support/server_host.hpp"

#include <memory>

namespace compass_fabric::testing {

class process_host final : public server_host {
 public:
  process_host(std::string binary, std::filesystem::path config);

  void start() override;
  void signal(int number) override;
  bool running() override;
  std::string console() override;

 private:
  std::string binary_;
  std::filesystem::path config_;
  std::unique_ptr<process> server_;
};

}  // namespace compass_fabric::testing
