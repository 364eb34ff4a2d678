// SPDX-License-Identifier: Apache-2.0
#include "testing/process_host.hpp"

#include <stdexcept>
#include <utility>

#include "testing/task_states.hpp"

namespace compass_fabric::testing {
namespace {

[[noreturn]] void no_network() {
  throw std::runtime_error("a plain process has no network of its own: give the server a container_network");
}

}  // namespace

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

bool process_host::stands_still() { return server_ && all_tasks_stopped(server_->pid()); }

void process_host::disconnect_network() { no_network(); }

void process_host::connect_network() { no_network(); }

}  // namespace compass_fabric::testing
