// SPDX-License-Identifier: Apache-2.0
// Server addresses: what a user may write, taken apart.
//
//   std::string fault;
//   auto url = parse_server_url("tls://alice:s3cret@[::1]:4333", fault);
//   if (!url) fail(errc::invalid_url, fault);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <compass_fabric/secret.hpp>

namespace compass_fabric::proto {

enum class url_scheme : std::uint8_t { nats, tls, ws, wss };

/// One server address. Empty texts mean that the address does not name them.
struct server_url {
  url_scheme scheme = url_scheme::nats;
  /// Name or address; an IPv6 address without its brackets.
  std::string host;
  std::uint16_t port = 4222;
  /// Percent-decoded; `user` and `password` or `token`, never both.
  std::string user;
  secret password;
  secret token;
  /// Path and query of a WebSocket address as written, starting with a slash; empty for the others.
  std::string target;
  /// The name to check a certificate against where `host` is an address that a server of that name announced.
  std::string tls_name;

  friend bool operator==(const server_url&, const server_url&) = default;
};

/// Parses `[scheme://][user:password@ | token@]host[:port][/path?query]`.
///
/// Schemes are nats, tls, ws and wss in any case; without one the address has `default_scheme`. Ports default to 4222,
/// for ws to 80, for wss to 443. An IPv6 address stands in brackets. A path is for ws and wss only, a single slash is
/// ignored elsewhere.
/// Errors: nothing is returned and `fault` says what is wrong, without repeating credentials; report
/// `errc::invalid_url`.
std::optional<server_url> parse_server_url(std::string_view text, std::string& fault,
                                           url_scheme default_scheme = url_scheme::nats);

/// Parses addresses separated by commas, with blanks around them ignored. An empty list or entry is a fault. A comma
/// inside credentials must be written as `%2C`.
std::optional<std::vector<server_url>> parse_server_list(std::string_view text, std::string& fault);

/// The scheme's name, static storage.
std::string_view to_string(url_scheme scheme) noexcept;

/// True for the schemes that demand TLS.
constexpr bool is_secure(url_scheme scheme) noexcept { return scheme == url_scheme::tls || scheme == url_scheme::wss; }

/// True for the schemes that speak WebSocket.
constexpr bool is_websocket(url_scheme scheme) noexcept {
  return scheme == url_scheme::ws || scheme == url_scheme::wss;
}

/// True for an IPv4 or IPv6 address: nothing to resolve, and no name to ask for in TLS.
bool is_address(std::string_view host) noexcept;

/// `host:port`, an IPv6 address in brackets.
std::string authority(const server_url& url);

/// The address for people and logs: scheme, host, port and path, never credentials and no query, which may hold some.
std::string to_string(const server_url& url);

}  // namespace compass_fabric::proto
