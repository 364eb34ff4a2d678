// SPDX-License-Identifier: Apache-2.0
#include "testing/docker.hpp"

#include <compass_fabric/testing/container_network.hpp>

#include <csignal>
#include <exception>
#include <sstream>
#include <stdexcept>

#include <unistd.h>

#include "testing/process.hpp"

namespace compass_fabric::testing {
namespace {

const std::string label = "compass_fabric.test.pid";

bool alive(const std::string& pid) { return ::kill(static_cast<pid_t>(std::stol(pid)), 0) == 0; }

// `list` prints what carries the label, `remove` gets one of the ids.
void remove_orphans_of(std::vector<std::string> list, const std::vector<std::string>& remove) {
  list.insert(list.end(), {"--filter", "label=" + label, "--format", "{{.ID}} {{.Label \"" + label + "\"}}"});
  std::istringstream found(docker(std::move(list)));
  for (std::string id, pid; found >> id >> pid;) {
    if (alive(pid)) continue;
    auto command = remove;
    command.push_back(id);
    run_process(command);  // another process may have been faster
  }
}

}  // namespace

std::string docker(std::vector<std::string> args) {
  args.insert(args.begin(), "docker");
  auto result = run_process(args, {}, seconds{60});
  if (result.status != 0) throw std::runtime_error("docker " + args[1] + ": " + result.err);
  while (result.out.ends_with('\n')) result.out.pop_back();
  return result.out;
}

std::string owner_label() { return label + "=" + std::to_string(::getpid()); }

void remove_orphans() {
  static const bool done = [] {
    remove_orphans_of({"ps", "--all"}, {"docker", "rm", "--force"});
    remove_orphans_of({"network", "ls"}, {"docker", "network", "rm"});
    return true;
  }();
  static_cast<void>(done);
}

bool container_engine_answers() {
  try {
    return run_process({"docker", "version", "--format", "{{.Server.Version}}"}, {}, seconds{5}).status == 0;
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace compass_fabric::testing
