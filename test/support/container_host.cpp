// SPDX-License-Identifier: Apache-2.0
#include "support/container_host.hpp"

#include "support/process.hpp"

#include <unistd.h>

#include <csignal>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace compass_fabric::testing {
namespace {

constexpr const char* label = "compass_fabric.test.pid";

std::string docker(std::vector<std::string> args) {
  args.insert(args.begin(), "docker");
  auto result = run_process(args, {}, seconds{60});
  if (result.status != 0) throw std::runtime_error("docker " + args[1] + ": " + result.err);
  while (result.out.ends_with('\n')) result.out.pop_back();
  return result.out;
}

bool alive(const std::string& pid) { return ::kill(static_cast<pid_t>(std::stol(pid)), 0) == 0; }

}  // namespace

container_host::container_host(std::string image, std::filesystem::path config, std::vector<std::filesystem::path> dirs)
    : image_(std::move(image)), config_(std::move(config)), dirs_(std::move(dirs)) {}

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
  static int count = 0;
  const auto pid = std::to_string(::getpid());
  const auto user = std::to_string(::getuid()) + ":" + std::to_string(::getgid());
  const auto name = "compass_fabric_" + pid + "_" + std::to_string(++count);
  std::vector<std::string> args{"run",       "--detach", "--name", name, "--label", label + ("=" + pid),
                                "--network", "host",     "--user", user};
  for (const auto& dir : dirs_) {
    args.emplace_back("--volume");
    args.push_back(dir.string() + ":" + dir.string());
  }
  args.insert(args.end(), {image_, "--config", config_.string()});
  id_ = docker(std::move(args));
}

void container_host::signal(int number) {
  if (running()) docker({"kill", "--signal", std::to_string(number), id_});
}

bool container_host::running() {
  return !id_.empty() && docker({"inspect", "--format", "{{.State.Running}}", id_}) == "true";
}

std::string container_host::console() {
  const auto logs = run_process({"docker", "logs", id_});
  return logs.out + logs.err;
}

bool container_engine_answers() {
  try {
    return run_process({"docker", "version", "--format", "{{.Server.Version}}"}, {}, seconds{5}).status == 0;
  } catch (const std::exception&) {
    return false;
  }
}

void remove_orphaned_containers() {
  std::istringstream list(docker({"ps", "--all", "--filter", std::string("label=") + label, "--format",
                                  "{{.ID}} {{.Label \"" + std::string(label) + "\"}}"}));
  for (std::string id, pid; list >> id >> pid;) {
    if (!alive(pid)) run_process({"docker", "rm", "--force", id});  // another process may have been faster
  }
}

}  // namespace compass_fabric::testing
