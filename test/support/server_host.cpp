// SPDX-License-Identifier: Apache-2.0
#include "support/server_host.hpp"

#include "support/container_host.hpp"
#include "support/process_host.hpp"
#include "support/project_script.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace compass_fabric::testing {
namespace {

enum class server_mode { process, container };

server_mode choose_mode() {
  const char* forced = std::getenv("COMPASS_FABRIC_SERVER_MODE");
  const std::string wish = forced == nullptr ? "" : forced;
  if (wish == "process") return server_mode::process;
  if (!wish.empty() && wish != "container") {
    throw std::runtime_error("COMPASS_FABRIC_SERVER_MODE is neither process nor container: " + wish);
  }
  if (wish.empty() && !container_engine_answers()) return server_mode::process;
  remove_orphaned_containers();
  return server_mode::container;
}

server_mode mode() {
  static const server_mode chosen = [] {
    const auto result = choose_mode();
    if (result == server_mode::container) {
      std::fprintf(stderr, "nats-server: container of %s\n", nats_server_image().c_str());
    } else {
      std::fprintf(stderr, "nats-server: plain process %s\n", nats_server_binary().c_str());
    }
    return result;
  }();
  return chosen;
}

}  // namespace

std::unique_ptr<server_host> make_server_host(const std::filesystem::path& config,
                                              const std::vector<std::filesystem::path>& dirs) {
  if (mode() == server_mode::process) return std::make_unique<process_host>(nats_server_binary(), config);
  return std::make_unique<container_host>(nats_server_image(), config, dirs);
}

}  // namespace compass_fabric::testing
