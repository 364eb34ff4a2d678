// SPDX-License-Identifier: Apache-2.0
// Reads the monitoring of servers: of one over its HTTP port, or of all that a system account can reach.
//
//   monitoring::http_target server{.host = "10.0.0.7"};
//   auto vars = co_await monitoring::read_varz(server);
//   for (auto& s : co_await monitoring::ping_jsz(system_connection)) use(s.server_name, s.data.storage);
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/connection.hpp>
#include <compass_fabric/monitoring_data.hpp>

namespace compass_fabric::monitoring {

/// A server's monitoring port (`http_port` in its configuration). Plain HTTP.
struct http_target {
  std::string host = "127.0.0.1";
  std::uint16_t port = 8222;
  /// The server's `http_base_path`, without a final slash.
  std::string base_path;
};

/// Which connections to list, and in what detail.
struct connz_query {
  std::int64_t offset = 0;
  std::int64_t limit = 1024;
  bool subscriptions = false;
  /// Names of users and accounts; the server asks for more rights than it does for the rest.
  bool auth = false;
};

/// Each reads one page of one server.
///
/// Cancellation: terminal and partial; the socket is closed.
/// Errors: `timeout` when the whole takes longer than `timeout`; those of resolving and connecting; `server_error` for
/// an answer that is not the page, with what it was.
boost::asio::awaitable<varz> read_varz(http_target server, std::chrono::milliseconds timeout = std::chrono::seconds(5));
boost::asio::awaitable<connz> read_connz(http_target server, connz_query query = {},
                                         std::chrono::milliseconds timeout = std::chrono::seconds(5));
boost::asio::awaitable<jsz> read_jsz(http_target server, std::chrono::milliseconds timeout = std::chrono::seconds(5));
/// An unhealthy server's answer is an answer, not an error.
boost::asio::awaitable<healthz> read_healthz(http_target server,
                                             std::chrono::milliseconds timeout = std::chrono::seconds(5));

/// How long to wait for the servers: in all, and for one more after the last.
struct ping_options {
  std::chrono::milliseconds timeout{5000};
  std::chrono::milliseconds stall{300};
  /// So many servers are known; 0 = take what comes in time.
  std::size_t servers = 0;
};

/// Each asks every server the connection's system account can reach (`$SYS.REQ.SERVER.PING`); answers in the order they
/// came, those that report an error left out.
///
/// Errors: `no_responders` when the connection is not one of a system account; those of `request_many`.
boost::asio::awaitable<std::vector<answer<varz>>> ping_varz(connection nc, ping_options options = {});
boost::asio::awaitable<std::vector<answer<connz>>> ping_connz(connection nc, connz_query query = {},
                                                              ping_options options = {});
boost::asio::awaitable<std::vector<answer<jsz>>> ping_jsz(connection nc, ping_options options = {});
boost::asio::awaitable<std::vector<answer<healthz>>> ping_healthz(connection nc, ping_options options = {});

}  // namespace compass_fabric::monitoring
