// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/nats_server.hpp>

#include <compass_fabric/testing/eventually.hpp>
#include "testing/free_port.hpp"
#include "testing/http_get.hpp"
#include "testing/server_config.hpp"
#include "testing/server_host.hpp"

#include <csignal>
#include <exception>
#include <stdexcept>

namespace compass_fabric::testing {

nats_server::nats_server(const nats_server_options& options)
    : options_(options), port_(options.port != 0 ? options.port : free_port()), http_port_(free_port()) {
  write_config();
  host_ = make_server_host(options_, dir_.path() / "nats.conf", visible_dirs());
  host_->start();
  if (options_.wait) wait_ready();
}

nats_server::~nats_server() = default;

std::string nats_server::url() const { return "nats://" + options_.address + ":" + std::to_string(port_); }

void nats_server::write_config() {
  const server_places places{.client_port = port_,
                             .http_port = http_port_,
                             .store_dir = options_.store_dir.empty() ? dir_.path() / "store" : options_.store_dir,
                             .log_file = dir_.path() / "nats.log"};
  write_file(dir_.path() / "nats.conf", server_config(options_, places));
}

std::vector<std::filesystem::path> nats_server::visible_dirs() const {
  std::vector<std::filesystem::path> dirs{dir_.path()};
  if (!options_.store_dir.empty()) {
    std::filesystem::create_directories(options_.store_dir);
    dirs.push_back(options_.store_dir);
  }
  if (!options_.tls.cert.empty()) dirs.push_back(options_.tls.cert.parent_path());
  return dirs;
}

void nats_server::stop() {
  signal(SIGTERM);
  if (!eventually_blocking([this] { return !running(); })) fail("did not end on SIGTERM");
}

void nats_server::kill() {
  signal(SIGKILL);
  if (!eventually_blocking([this] { return !running(); })) fail("did not end on SIGKILL");
}

void nats_server::restart() {
  if (running()) stop();
  start();
  wait_ready();
}

void nats_server::start() { host_->start(); }

void nats_server::pause() {
  signal(SIGSTOP);
  if (!eventually_blocking([this] { return host_->stands_still(); })) fail("did not stop on SIGSTOP");
}

void nats_server::resume() { signal(SIGCONT); }

void nats_server::signal(int number) { host_->signal(number); }

void nats_server::disconnect_network() { host_->disconnect_network(); }

void nats_server::connect_network() { host_->connect_network(); }

void nats_server::lame_duck() { signal(SIGUSR2); }

void nats_server::reload(const std::string& extra_config) {
  options_.extra_config = extra_config;
  write_config();
  signal(SIGHUP);
}

bool nats_server::running() { return host_->running(); }

bool nats_server::healthy() const {
  try {
    return http_get(http_port_, "/healthz?js-enabled-only=true", seconds{1}, options_.address).status == 200;
  } catch (const std::exception&) {  // refused or silent: not yet
    return false;
  }
}

void nats_server::wait_ready(milliseconds limit) {
  const deadline end(limit);
  while (!healthy()) {
    if (end.passed()) fail("is not ready");
    if (!running()) fail("ended instead of starting");
    std::this_thread::sleep_for(poll_interval);
  }
}

std::string nats_server::monitor(const std::string& target, milliseconds limit) const {
  auto response = http_get(http_port_, target, limit, options_.address);
  if (response.status != 200) fail(target + " answered " + std::to_string(response.status) + ": " + response.body);
  return std::move(response.body);
}

std::string nats_server::log() const { return read_file(dir_.path() / "nats.log"); }

void nats_server::fail(const std::string& what) const {
  constexpr std::size_t shown = 2000;
  const auto text = log() + host_->console();
  throw std::runtime_error("nats-server " + options_.name + " " + what + "\n" +
                           text.substr(text.size() > shown ? text.size() - shown : 0));
}

}  // namespace compass_fabric::testing
