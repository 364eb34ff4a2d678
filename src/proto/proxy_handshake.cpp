// SPDX-License-Identifier: Apache-2.0
#include "proto/proxy_handshake.hpp"

#include "proto/http_connect.hpp"
#include "proto/server_url.hpp"
#include "proto/socks5.hpp"

namespace compass_fabric::proto {
namespace {

// Takes the scheme off and returns it.
std::optional<proxy_scheme> take_scheme(std::string_view& text) {
  constexpr std::string_view http = "http://";
  constexpr std::string_view socks5 = "socks5://";
  if (text.starts_with(http)) {
    text.remove_prefix(http.size());
    return proxy_scheme::http;
  }
  if (text.starts_with(socks5)) {
    text.remove_prefix(socks5.size());
    return proxy_scheme::socks5;
  }
  return std::nullopt;
}

}  // namespace

std::optional<proxy_address> parse_proxy_url(std::string_view text, std::string& fault) {
  const auto scheme = take_scheme(text);
  if (!scheme) {
    fault = "a proxy is http://host:port or socks5://host:port";
    return std::nullopt;
  }
  // The rest has the grammar of a server's address. Proxies have no common default port, so it must be there: whether
  // it is shows in the port that two schemes give.
  auto url = parse_server_url(text, fault);
  if (!url) return std::nullopt;
  const auto other = parse_server_url(text, fault, url_scheme::wss);
  if (!other || other->port != url->port || !url->token.empty()) {
    fault = url->token.empty() ? "a proxy's address needs a port" : "a proxy's credentials are user:password";
    return std::nullopt;
  }
  return proxy_address{*scheme, std::move(url->host), url->port, std::move(url->user), std::move(url->password)};
}

std::unique_ptr<proxy_handshake> start_proxy_handshake(const proxy_address& proxy, const proxy_target& target) {
  if (proxy.scheme == proxy_scheme::http) return std::make_unique<http_connect>(proxy, target);
  return std::make_unique<socks5>(proxy, target);
}

}  // namespace compass_fabric::proto
