// SPDX-License-Identifier: Apache-2.0
// Which server runs where.
#include <compass_fabric/testing/container_network.hpp>
#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include <compass_fabric/testing/run.hpp>
#include <compass_fabric/testing/temp_dir.hpp>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "support_test/tcp_client.hpp"
#include "testing/docker.hpp"
#include "testing/process.hpp"
#include "testing/server_lookup.hpp"
#include "testing/task_states.hpp"

using namespace compass_fabric::testing;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Another value of an environment variable for a while.
class variable_guard {
 public:
  variable_guard(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value, 1);
  }
  ~variable_guard() { ::setenv(name_, old_.c_str(), 1); }
  variable_guard(const variable_guard&) = delete;
  variable_guard& operator=(const variable_guard&) = delete;

 private:
  const char* name_;
  std::string old_;
};

nats_server_options at(server_place place) {
  nats_server_options options;
  options.place = place;
  return options;
}

/// The images of the containers that this process runs, one a line.
std::string images() { return docker({"ps", "--filter", "label=" + owner_label(), "--format", "{{.Image}}"}); }

}  // namespace

TEST_CASE("a server that is nowhere fails the test, and the text names NATS_SERVER", "[support]") {
  const variable_guard path("PATH", "/nonexistent");
  const variable_guard unset("NATS_SERVER", "");
  CHECK_THROWS_WITH(nats_server(at(server_place::process)), ContainsSubstring("NATS_SERVER"));
}

TEST_CASE("a named server that cannot run fails the test, and the text says who named it", "[support]") {
  const variable_guard variable("NATS_SERVER", "/nonexistent/one");
  CHECK_THROWS_WITH(nats_server(at(server_place::process)), ContainsSubstring("/nonexistent/one, which NATS_SERVER"));
  auto options = at(server_place::process);
  options.binary = "/nonexistent/two";
  CHECK_THROWS_WITH(nats_server(options), ContainsSubstring("/nonexistent/two, which the options"));
}

TEST_CASE("a server runs the program that the options name", "[support]") {
  const temp_dir dir;
  auto options = at(server_place::process);
  const auto marker = dir.path() / "ran";
  options.binary = dir.path() / "wrapper";
  write_file(options.binary,
             "#!/bin/sh\necho yes >" + marker.string() + "\nexec " + find_server_binary({}) + " \"$@\"\n");
  std::filesystem::permissions(options.binary, std::filesystem::perms::owner_all);
  nats_server server(options);
  CHECK(read_file(marker) == "yes\n");
}

TEST_CASE("a server runs in a container of the image that the options name", "[support]") {
  auto options = at(server_place::container);
  if (container_engine_answers()) {
    options.image = choose_server_image({});
    nats_server server(options);
    CHECK(images() == options.image);
  }
  // Nobody listens where this one would come from.
  options.image = "127.0.0.1:1/no-such-image:1";
  CHECK_THROWS_AS(nats_server(options), std::runtime_error);
}

TEST_CASE("a plain process has no network to be taken off", "[support]") {
  nats_server server(at(server_place::process));
  CHECK_THROWS_WITH(server.disconnect_network(), ContainsSubstring("container_network"));
  CHECK_THROWS_WITH(server.connect_network(), ContainsSubstring("container_network"));
}

TEST_CASE("a server on a network of its own falls silent off it, and its connections live on", "[support]") {
  if (!container_engine_answers()) {
    CHECK_THROWS_AS(container_network(), std::runtime_error);
    return;
  }
  nats_server_options options;
  options.network = std::make_shared<container_network>();
  CHECK_THROWS_WITH(nats_server(options), ContainsSubstring("127.0.0.1"));
  options.address = options.network->address(3);
  nats_server server(options);
  CHECK(server.url() == "nats://" + options.address + ":" + std::to_string(server.port()));
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(server.port(), options.address);
    co_await send(socket, "CONNECT {\"verbose\":false}\r\nPING\r\n");
    std::string greeting;
    while (!greeting.ends_with("PONG\r\n")) greeting += co_await receive_some(socket);
    server.disconnect_network();
    if (socket.available() != 0) co_await receive_some(socket);
    co_await send(socket, "PING\r\n");
    const bool answered = co_await eventually([&] { return socket.available() != 0; }, milliseconds{300});
    CHECK_FALSE(answered);
    server.connect_network();
    co_await expect_pong(socket);
  });
}

TEST_CASE("a network's addresses end with its size", "[support]") {
  if (!container_engine_answers()) {
    CHECK_THROWS_AS(container_network(), std::runtime_error);
    return;
  }
  const container_network first;
  const container_network second;
  CHECK(first.address(0) != second.address(0));
  CHECK(first.address(container_network::size - 1).ends_with(".209"));
  CHECK_THROWS_AS(first.address(container_network::size), std::out_of_range);
}

TEST_CASE("a process stands still when all its threads do", "[support]") {
  process sleeper({"sleep", "1000"});
  CHECK_FALSE(all_tasks_stopped(sleeper.pid()));
  sleeper.signal(SIGSTOP);
  CHECK(eventually_blocking([&] { return all_tasks_stopped(sleeper.pid()); }));
  sleeper.signal(SIGCONT);
  CHECK(eventually_blocking([&] { return !all_tasks_stopped(sleeper.pid()); }));
  sleeper.signal(SIGKILL);
  sleeper.wait();
  CHECK_FALSE(all_tasks_stopped(sleeper.pid()));
}
