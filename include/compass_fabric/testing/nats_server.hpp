// SPDX-License-Identifier: Apache-2.0
// A real nats-server for one test.
//
//   nats_server server({.user = "a", .password = "b"});
//   ... server.url() ...
//   server.kill();
//   server.restart();
#pragma once

#include <compass_fabric/testing/deadline.hpp>
#include <compass_fabric/testing/nats_server_options.hpp>
#include <compass_fabric/testing/temp_dir.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace compass_fabric::testing {

class server_host;

/// One server, on loopback unless the options say otherwise; ended with the object, in whatever state it is. Ports,
/// configuration and the store stay the same across `restart`. All failures throw `std::runtime_error` with the end of
/// the server's log.
class nats_server {
 public:
  /// Starts it and waits until it takes clients.
  explicit nats_server(const nats_server_options& options = {});
  ~nats_server();
  nats_server(const nats_server&) = delete;
  nats_server& operator=(const nats_server&) = delete;

  const std::string& name() const { return options_.name; }
  std::uint16_t port() const { return port_; }
  std::uint16_t http_port() const { return http_port_; }
  /// Where it is reached: 127.0.0.1 unless it is on a container network.
  const std::string& address() const { return options_.address; }
  /// `nats://<address>:<port>`, without credentials.
  std::string url() const;

  /// Ends it with SIGTERM (it says good-bye and flushes) or SIGKILL, and waits for its end.
  void stop();
  void kill();
  /// Starts it again, after `stop` if it runs, and waits until it takes clients.
  void restart();
  /// Starts it again without waiting.
  void start();

  /// SIGSTOP and SIGCONT: it holds its connections and says nothing; `pause` returns when it stands still.
  void pause();
  void resume();

  /// Takes it off its network and puts it back under the same address: for both ends the other falls silent. Only for
  /// a server on a `container_network`.
  void disconnect_network();
  void connect_network();

  /// Any other signal: SIGUSR2 is lame duck, SIGHUP reads the configuration again.
  void signal(int number);
  void lame_duck();
  /// Replaces the extra configuration and has the server read it.
  void reload(const std::string& extra_config);

  /// Waits until it takes clients; with JetStream, until that is up too.
  void wait_ready(milliseconds limit = default_wait);
  bool running();

  /// The body of a monitoring page, such as `/connz?subs=1`. Throws unless the answer is 200.
  std::string monitor(const std::string& target, milliseconds limit = seconds{5}) const;
  /// What it has logged since the object was made.
  std::string log() const;

 private:
  void write_config();
  std::vector<std::filesystem::path> visible_dirs() const;
  bool healthy() const;
  [[noreturn]] void fail(const std::string& what) const;

  nats_server_options options_;
  temp_dir dir_;
  std::uint16_t port_;
  std::uint16_t http_port_;
  std::unique_ptr<server_host> host_;
};

}  // namespace compass_fabric::testing
