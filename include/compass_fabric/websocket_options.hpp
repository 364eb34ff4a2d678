// SPDX-License-Identifier: Apache-2.0
// How WebSocket links (ws:// and wss:// addresses) are opened.
//
//   options.servers = {"wss://edge.example.com/nats"};
//   options.websocket.headers = {{"Authorization", "Bearer ..."}};
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace compass_fabric {

/// Fields of an HTTP request, name and value.
using http_fields = std::vector<std::pair<std::string, std::string>>;

struct websocket_options {
  /// Path and query for addresses that name none, such as those a cluster announces; empty = `/`.
  std::string path;
  /// Sent with every upgrade request, in addition to those of the protocol. Never printed.
  http_fields headers;
  /// Called at every attempt for further fields, for tokens that expire; an exception fails the attempt.
  std::function<http_fields()> make_headers;
  /// Offers compression (permessage-deflate, RFC 7692); the server decides. It costs processor time on both sides.
  bool compression = false;
};

}  // namespace compass_fabric
