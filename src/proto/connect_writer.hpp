// SPDX-License-Identifier: Apache-2.0
// The CONNECT command, the client's first words.
#pragma once

#include <string>

#include <compass_fabric/secret.hpp>

namespace compass_fabric::proto {

/// What CONNECT tells the server. Empty texts are left out; flags are always sent, for the server's own defaults
/// differ. A server accepts at most 4096 bytes here unless configured otherwise, which a long `jwt` can exceed.
struct connect_fields {
  /// The server confirms every command with `+OK`.
  bool verbose = false;
  /// The server checks publish subjects and reports bad ones.
  bool pedantic = false;
  /// Own messages are delivered to own subscriptions too.
  bool echo = true;
  /// TLS is in use.
  bool tls_required = false;
  /// Messages may carry headers; only when the server's INFO says so.
  bool headers = true;
  /// Requests nobody serves are answered with status 503; needs `headers`.
  bool no_responders = true;
  /// 1: this client understands INFO at any time.
  int protocol = 1;
  /// Connection name shown by the server's monitoring.
  std::string name;
  /// Version of this library.
  std::string version;
  std::string user;
  secret pass;
  secret auth_token;
  /// Public user key (`U...`).
  std::string nkey;
  /// Signature of the nonce, base64url without padding.
  std::string sig;
  /// User token of the operator mode.
  secret jwt;
};

/// Appends `CONNECT {...}` and the line end. `out` does not move while it grows, so wiping it wipes every trace.
void append_connect(std::string& out, const connect_fields& fields);

}  // namespace compass_fabric::proto
