// SPDX-License-Identifier: Apache-2.0
// A real ingress on loopback, as stands before WebSocket servers: it ends TLS, serves one path and answers 404 to all
// others, and forwards in plain text.
//
//   ingress edge({.cert = files.file("server.pem"), .key = files.file("server.key"), .path = "/nats", .upstream =
//   port});
//   ... connect to wss://localhost:<edge.port()>/nats ...
//   CHECK(edge.requests().size() == 1);
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace compass_fabric::testing {

struct ingress_options {
  std::filesystem::path cert;
  std::filesystem::path key;
  /// The one path that is served, with any query.
  std::string path;
  /// The port of 127.0.0.1 that it forwards to.
  std::uint16_t upstream = 0;
};

/// Runs on a thread of its own; its end cuts all connections and refuses new ones.
class ingress {
 public:
  explicit ingress(const ingress_options& options);
  ~ingress();
  ingress(const ingress&) = delete;
  ingress& operator=(const ingress&) = delete;

  std::uint16_t port() const;
  /// The heads of all requests so far, those that were refused too.
  std::vector<std::string> requests() const;

 private:
  class engine;
  std::unique_ptr<engine> engine_;
};

}  // namespace compass_fabric::testing
