// SPDX-License-Identifier: Apache-2.0
// A real proxy on loopback: HTTP CONNECT or SOCKS 5, with or without a login.
//
//   tunnel_proxy proxy({.kind = tunnel_kind::socks5, .user = "ann", .password = "secret"});
//   options.proxy.url = proxy.url();
//   CHECK(proxy.asked() == std::vector<std::string>{"nats.example.com:4222"});
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace compass_fabric::testing {

enum class tunnel_kind { http, socks5 };

struct tunnel_proxy_options {
  tunnel_kind kind = tunnel_kind::http;
  /// Set: a login is demanded.
  std::string user = {};
  std::string password = {};
  /// Where every tunnel leads, whatever name was asked for; 0 = to the asked port of 127.0.0.1.
  std::uint16_t upstream = 0;
  /// True: the answer waits for the server's first words and goes out with them in one packet.
  bool server_speaks_first = true;
};

/// Runs on a thread of its own.
class tunnel_proxy {
 public:
  explicit tunnel_proxy(const tunnel_proxy_options& options);
  ~tunnel_proxy();
  tunnel_proxy(const tunnel_proxy&) = delete;
  tunnel_proxy& operator=(const tunnel_proxy&) = delete;

  std::uint16_t port() const;
  /// `http://127.0.0.1:port` or `socks5://...`, without credentials.
  std::string url() const;
  /// What was asked for so far, as `host:port`; tunnels that were refused are not in it.
  std::vector<std::string> asked() const;

 private:
  class engine;
  std::unique_ptr<engine> engine_;
};

}  // namespace compass_fabric::testing
