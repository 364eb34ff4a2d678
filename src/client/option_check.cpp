// SPDX-License-Identifier: Apache-2.0
#include "client/option_check.hpp"

#include <algorithm>

#include <compass_fabric/error.hpp>

#include "proto/inbox.hpp"

namespace compass_fabric::client {
namespace {

void require(bool holds, std::string_view rule) {
  if (!holds) throw_error(errc::invalid_option, rule);
}

void check_positive(std::chrono::milliseconds value, std::string_view rule) { require(value.count() > 0, rule); }

void check_reconnect(const reconnect_options& r) {
  require(r.initial_delay.count() >= 0, "reconnect.initial_delay must not be negative");
  require(r.max_delay >= r.initial_delay, "reconnect.max_delay must not be below initial_delay");
  require(r.jitter.count() >= 0, "reconnect.jitter must not be negative");
}

}  // namespace

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
  return o;
}

std::vector<proto::server_url> parse_servers(const std::vector<std::string>& addresses) {
  std::vector<proto::server_url> urls;
  for (const auto& text : addresses) {
    std::string fault;
    auto url = proto::parse_server_url(text, fault);
    if (!url) throw_error(errc::invalid_url, fault);
    if (url->scheme != proto::url_scheme::nats)
      throw_error(errc::invalid_url, std::string(proto::to_string(url->scheme)) + ":// is not supported by this build");
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
