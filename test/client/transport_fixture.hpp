// SPDX-License-Identifier: Apache-2.0
// One real server reached in any of the ways a link can be made.
#pragma once

#include <optional>
#include <ostream>

#include "testing/free_port.hpp"
#include "tls_fixture.hpp"

namespace compass_fabric::testing {

enum class way { tcp, tls, ws, wss };

inline std::ostream& operator<<(std::ostream& out, way w) {
  constexpr const char* names[] = {"nats", "tls", "ws", "wss"};
  return out << names[static_cast<int>(w)];
}

/// A server that listens for `way` on a port of its own.
class reachable_server {
 public:
  explicit reachable_server(way w, const std::string& extra = {}) : way_(w), ws_port_(free_port()) {
    nats_server_options o;
    if (w == way::tls || w == way::wss) o = files_.server();
    o.jetstream = false;
    o.extra_config = extra;
    if (w == way::ws || w == way::wss)
      o.extra_config +=
          "\nwebsocket { listen: \"127.0.0.1:" + std::to_string(ws_port_) + "\", " + ws_tls() + ", compression: true }";
    server_.emplace(o);
  }

  nats_server& server() { return *server_; }
  std::uint16_t port() const { return way_ == way::ws || way_ == way::wss ? ws_port_ : server_->port(); }
  std::string url(std::uint16_t port) const {
    std::ostringstream text;
    text << way_ << "://localhost:" << port;
    return text.str();
  }
  /// Options that reach it through `port`, its own or that of a proxy.
  connect_options options(std::uint16_t port) const {
    auto o = options_for(url(port));
    if (way_ == way::tls || way_ == way::wss) o.tls.ca.text = files_.ca().pem();
    return o;
  }
  connect_options options() const { return options(port()); }

 private:
  std::string ws_tls() const {
    if (way_ == way::ws) return "no_tls: true";
    return "tls { cert_file: \"" + files_.file("server.pem").string() + "\", key_file: \"" +
           files_.file("server.key").string() + "\" }";
  }

  way way_;
  std::uint16_t ws_port_;
  tls_files files_;
  std::optional<nats_server> server_;
};

}  // namespace compass_fabric::testing
