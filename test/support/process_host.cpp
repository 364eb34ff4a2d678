// SPDX-License-Identifier: Apache-2.0
#include "support/process_host.hpp"

#include <utility>

namespace compass_fabric::testing {

process_host::process_host(std::string binary, std::filesystem::path config)
    : binary_(std::move(binary)), config_(std::move(config)) {}

void process_host::start() {
  const std::vector<std::string> args{binary_, "--config", config_.string()};
  server_ = std::make_unique<process>(args);
}

void process_host::signal(int number) {
  if (server_) server_->signal(number);
}

std::string process_host::console() { return server_ ? server_->out() + server_->err() : std::string(); }

bool process_host::running() { return server_ && server_->running(); }

}  // namespace compass_fabric::testing
