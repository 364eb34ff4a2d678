// SPDX-License-Identifier: Apache-2.0
#include "testing/container_host.hpp"

#include <atomic>
#include <exception>
#include <stdexcept>
#include <utility>

#include <unistd.h>

#include "testing/docker.hpp"
#include "testing/process.hpp"
#include "testing/task_states.hpp"

namespace compass_fabric::testing {

container_host::container_host(container_setup setup) : setup_(std::move(setup)) {}

container_host::~container_host() {
  if (id_.empty()) return;
  try {
    docker({"rm", "--force", id_});
  } catch (const std::exception&) {  // a destructor has nobody to tell; the next test process removes orphans
  }
}

void container_host::start() {
  if (!id_.empty()) {
    docker({"start", id_});
    return;
  }
  static std::atomic<int> count{0};
  const auto user = std::to_string(::getuid()) + ":" + std::to_string(::getgid());
  const auto name = "compass_fabric_" + std::to_string(::getpid()) + "_" + std::to_string(++count);
  std::vector<std::string> args{"run", "--detach", "--name", name, "--label", owner_label(), "--user", user};
  if (setup_.network) {
    args.insert(args.end(), {"--network", setup_.network->name(), "--ip", setup_.address});
  } else {
    args.insert(args.end(), {"--network", "host"});
  }
  for (const auto& dir : setup_.dirs) args.insert(args.end(), {"--volume", dir.string() + ":" + dir.string()});
  args.insert(args.end(), {setup_.image, "--config", setup_.config.string()});
  id_ = docker(std::move(args));
}

void container_host::signal(int number) {
  if (running()) docker({"kill", "--signal", std::to_string(number), id_});
}

bool container_host::running() {
  return !id_.empty() && docker({"inspect", "--format", "{{.State.Running}}", id_}) == "true";
}

// With an engine elsewhere the process id means nothing here, or somebody else; the control group tells.
bool container_host::stands_still() {
  const auto pid = docker({"inspect", "--format", "{{.State.Pid}}", id_});
  const auto group = read_file("/proc/" + pid + "/cgroup");
  return group.find(id_) == std::string::npos || all_tasks_stopped(std::stol(pid));
}

void container_host::disconnect_network() { docker({"network", "disconnect", network_name(), id_}); }

void container_host::connect_network() { docker({"network", "connect", "--ip", setup_.address, network_name(), id_}); }

const std::string& container_host::network_name() const {
  if (!setup_.network) throw std::runtime_error("the server shares the host's network: give it a container_network");
  return setup_.network->name();
}

std::string container_host::console() {
  const auto logs = run_process({"docker", "logs", id_});
  return logs.out + logs.err;
}

}  // namespace compass_fabric::testing
