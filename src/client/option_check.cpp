// SPDX-License-Identifier: Apache-2.0
#include "client/option_check.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <boost/asio/ip/address.hpp>

#include <compass_fabric/error.hpp>

#include "proto/inbox.hpp"
#include "proto/proxy_handshake.hpp"

namespace compass_fabric::client {
namespace {

namespace asio = boost::asio;

void require(bool holds, std::string_view rule) {
  if (!holds) throw_error(errc::invalid_option, rule);
}

void check_positive(std::chrono::milliseconds value, std::string_view rule) { require(value.count() > 0, rule); }

void check_reconnect(const reconnect_options& r) {
  require(r.initial_delay.count() >= 0, "reconnect.initial_delay must not be negative");
  require(r.max_delay >= r.initial_delay, "reconnect.max_delay must not be below initial_delay");
  require(r.jitter.count() >= 0, "reconnect.jitter must not be negative");
}

void check_tls(const tls_options& t) {
  require(t.max_version >= t.min_version, "tls.max_version must not be below tls.min_version");
  require(!t.insecure_skip_verify || !t.verify, "tls.insecure_skip_verify leaves tls.verify without use");
  require(t.key.empty() || !t.certificate.empty(), "tls.key needs tls.certificate");
}

void check_dial(const dial_options& d) {
  require(d.stagger >= std::chrono::milliseconds(10), "dial.stagger must be at least 10 ms");
  error_code fault;
  if (!d.local_address.empty()) asio::ip::make_address(d.local_address, fault);
  require(!fault, "dial.local_address must be an IPv4 or IPv6 address");
  constexpr std::size_t most = std::numeric_limits<int>::max();
  require(d.send_buffer <= most && d.receive_buffer <= most, "dial.send_buffer and receive_buffer must fit an int");
}

bool is_field_name(std::string_view name) noexcept {
  constexpr std::string_view token = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::all_of(name.begin(), name.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || token.find(c) != token.npos;
  });
}

bool is_field_value(std::string_view value) noexcept {
  return std::none_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\t') || byte == 0x7f;
  });
}

void check_websocket(const websocket_options& w) {
  require(w.path.empty() || w.path.front() == '/', "websocket.path must begin with a slash");
  require(is_field_value(w.path) && w.path.find(' ') == w.path.npos, "websocket.path must not hold blanks");
  require(valid_http_fields(w.headers), "websocket.headers must be HTTP fields");
}

void check_proxy(const connect_options& o) {
  if (o.proxy.url.empty()) return;
  require(!o.make_stream, "proxy and make_stream exclude each other");
  std::string fault;
  const bool understood = proto::parse_proxy_url(o.proxy.url, fault).has_value();
  require(understood, "proxy.url: " + fault);
}

}  // namespace

bool valid_http_fields(const http_fields& fields) noexcept {
  return std::all_of(fields.begin(), fields.end(),
                     [](const auto& f) { return is_field_name(f.first) && is_field_value(f.second); });
}

connect_options checked(connect_options o) {
  require(!o.servers.empty(), "servers must not be empty");
  check_positive(o.connect_timeout, "connect_timeout must be positive");
  check_positive(o.ping_interval, "ping_interval must be positive");
  check_positive(o.write_deadline, "write_deadline must be positive");
  require(o.max_pings_outstanding >= 1, "max_pings_outstanding must be at least 1");
  require(o.outbox_limit >= o.outbox_high_water, "outbox_limit must not be below outbox_high_water");
  require(proto::valid_inbox_prefix(o.inbox_prefix), "inbox_prefix must be a valid subject");
  require(!o.auth_callback || !o.async_auth_callback, "only one of auth_callback and async_auth_callback may be set");
  check_reconnect(o.reconnect);
  check_tls(o.tls);
  check_dial(o.dial);
  check_websocket(o.websocket);
  check_proxy(o);
  return o;
}

std::vector<proto::server_url> parse_servers(const std::vector<std::string>& addresses, const tls_options& tls) {
  std::vector<proto::server_url> urls;
  for (const auto& text : addresses) {
    std::string fault;
    auto url = proto::parse_server_url(text, fault);
    if (!url)  // the address itself may hold a secret
      throw_error(errc::invalid_url, fmt::format("server {} of {}: {}", urls.size() + 1, addresses.size(), fault));
    if (proto::is_secure(url->scheme) && tls.mode == tls_mode::disabled)
      throw_error(errc::invalid_option, "tls.mode is disabled, but " + proto::to_string(*url) + " demands TLS");
    urls.push_back(std::move(*url));
  }
  return urls;
}

std::vector<std::string> split_servers(std::string_view list) {
  std::vector<std::string> servers;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string_view entry = list.substr(at, end - at);
    while (!entry.empty() && entry.front() == ' ') entry.remove_prefix(1);
    while (!entry.empty() && entry.back() == ' ') entry.remove_suffix(1);
    servers.emplace_back(entry);
    at = end + 1;
  }
  return servers;
}

proto::pool_policy pool_policy(const reconnect_options& o) noexcept {
  return {o.max_attempts, o.initial_delay, o.max_delay, o.jitter, o.retry_refused_credentials};
}

}  // namespace compass_fabric::client
