// SPDX-License-Identifier: Apache-2.0
// Reaching servers through a proxy.
//
//   options.proxy.url = "socks5://proxy.example.com:1080";
#pragma once

#include <string>

#include <compass_fabric/secret.hpp>

namespace compass_fabric {

/// A proxy for every TCP connection to a server. Names of servers are resolved by the proxy, not here. TLS is made with
/// the server, through the proxy. The proxy sees where to, and its own credentials in plain text.
struct proxy_options {
  /// `http://host:port` for HTTP CONNECT (RFC 9110, 9.3.6), `socks5://host:port` for SOCKS 5 (RFC 1928); empty = none.
  std::string url;
  /// Basic authentication, or user name and password of RFC 1929; at most 255 bytes each for SOCKS.
  std::string user;
  secret password;
};

}  // namespace compass_fabric
