// SPDX-License-Identifier: Apache-2.0
#include "testing/server_host.hpp"

#include <compass_fabric/testing/container_network.hpp>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "testing/container_host.hpp"
#include "testing/docker.hpp"
#include "testing/process_host.hpp"
#include "testing/server_lookup.hpp"

namespace compass_fabric::testing {
namespace {

bool choose_containers() {
  const char* forced = std::getenv("COMPASS_FABRIC_SERVER_MODE");
  const std::string wish = forced == nullptr ? "" : forced;
  if (wish.empty()) return container_engine_answers();
  if (wish != "process" && wish != "container") {
    throw std::runtime_error("COMPASS_FABRIC_SERVER_MODE is neither process nor container: " + wish);
  }
  return wish == "container";
}

bool wants_container(const nats_server_options& options) {
  if (options.network) return true;
  return options.place == server_place::automatic ? prefers_containers() : options.place == server_place::container;
}

void announce(const std::string& what) {
  static const int said = std::fprintf(stderr, "nats-server: %s\n", what.c_str());
  static_cast<void>(said);
}

}  // namespace

bool prefers_containers() {
  static const bool chosen = choose_containers();
  return chosen;
}

std::unique_ptr<server_host> make_server_host(const nats_server_options& options, const std::filesystem::path& config,
                                              const std::vector<std::filesystem::path>& dirs) {
  if (!wants_container(options)) {
    auto binary = find_server_binary(options);
    announce("plain process " + binary);
    return std::make_unique<process_host>(std::move(binary), config);
  }
  if (options.network && options.address.starts_with("127.")) {
    throw std::runtime_error("a server on a container_network needs one of its addresses, not " + options.address);
  }
  container_setup setup{.image = choose_server_image(options),
                        .config = config,
                        .dirs = dirs,
                        .network = options.network,
                        .address = options.address};
  remove_orphans();
  announce("container of " + setup.image);
  return std::make_unique<container_host>(std::move(setup));
}

}  // namespace compass_fabric::testing
