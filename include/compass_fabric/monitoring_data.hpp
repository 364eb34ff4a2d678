// SPDX-License-Identifier: Apache-2.0
// What a server's monitoring tells, as plain data. Members follow the server's own names; what is not listed here is in
// `raw`, the JSON as it came.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace compass_fabric::monitoring {

/// The server as a whole (`/varz`).
struct varz {
  std::string server_id;
  std::string server_name;
  std::string version;
  std::string cluster;
  std::string uptime;
  std::int64_t max_connections = 0;
  std::int64_t max_payload = 0;
  std::int64_t connections = 0;
  std::int64_t total_connections = 0;
  std::int64_t routes = 0;
  std::int64_t subscriptions = 0;
  std::int64_t slow_consumers = 0;
  std::int64_t stale_connections = 0;
  std::int64_t in_msgs = 0;
  std::int64_t out_msgs = 0;
  std::int64_t in_bytes = 0;
  std::int64_t out_bytes = 0;
  /// Resident bytes, and the share of one core in percent.
  std::int64_t mem = 0;
  double cpu = 0;
  /// Of its JetStream configuration: how often stores are synced, in nanoseconds, and whether after every write. 0 and
  /// false without JetStream.
  std::int64_t sync_interval = 0;
  bool sync_always = false;
  std::string raw;
};

/// One connection of a server.
struct connection_info {
  std::uint64_t cid = 0;
  std::string kind;
  std::string ip;
  std::int64_t port = 0;
  std::string name;
  std::string lang;
  std::string version;
  std::string account;
  std::string authorized_user;
  std::string rtt;
  std::string uptime;
  std::string idle;
  std::int64_t pending_bytes = 0;
  std::int64_t in_msgs = 0;
  std::int64_t out_msgs = 0;
  std::int64_t in_bytes = 0;
  std::int64_t out_bytes = 0;
  std::int64_t subscriptions = 0;
  /// Only when asked for.
  std::vector<std::string> subscriptions_list;
};

/// The connections of a server (`/connz`), one page of them.
struct connz {
  std::string server_id;
  std::int64_t num_connections = 0;
  std::int64_t total = 0;
  std::int64_t offset = 0;
  std::int64_t limit = 0;
  std::vector<connection_info> connections;
  std::string raw;
};

/// JetStream on a server (`/jsz`).
struct jsz {
  std::string server_id;
  bool disabled = false;
  std::int64_t memory = 0;
  std::int64_t storage = 0;
  std::int64_t reserved_memory = 0;
  std::int64_t reserved_storage = 0;
  std::int64_t accounts = 0;
  std::int64_t ha_assets = 0;
  std::int64_t api_total = 0;
  std::int64_t api_errors = 0;
  std::int64_t streams = 0;
  std::int64_t consumers = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
  std::int64_t max_memory = 0;
  std::int64_t max_storage = 0;
  std::int64_t sync_interval = 0;
  bool sync_always = false;
  std::string raw;
};

/// Whether a server considers itself healthy (`/healthz`).
struct healthz {
  /// `ok`, `unavailable` or `error`.
  std::string status;
  /// 200 when healthy.
  std::int64_t status_code = 0;
  std::string error;
  std::string raw;

  bool healthy() const noexcept { return status == "ok"; }
};

/// What one server of a cluster answered.
template <class T>
struct answer {
  std::string server_id;
  std::string server_name;
  T data;
};

}  // namespace compass_fabric::monitoring
