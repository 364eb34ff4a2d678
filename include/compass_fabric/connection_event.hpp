// SPDX-License-Identifier: Apache-2.0
// What happens to a connection, as typed events. A log line is a formatted event (`to_string`).
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <compass_fabric/error.hpp>

namespace compass_fabric {

/// The kinds of events, in the order a connection meets them.
enum class event_kind {
  /// The first link is up and its subscriptions are known to the server. `server`.
  connected,
  /// The link is gone. `server`, `error`, `text`.
  disconnected,
  /// One attempt to reach `server` failed with `error`, explained by `text` where there is more to say; others follow
  /// unless `closed` comes next.
  connect_failed,
  /// A new link is up, subscriptions are restored and confirmed by the server. `server`.
  reconnected,
  /// The connection ended for good; the last event. `error` is empty after `close` or `drain`.
  closed,
  /// The server is about to shut down. `server`.
  lame_duck,
  /// Servers never heard of before were announced. `text` lists them.
  servers_discovered,
  /// The server reported an error that concerns no single operation. `error`, `text`.
  server_error,
  /// The server refused a publish or a subscription. `subject`, `text`; `error` is permission_violation.
  permission_denied,
  /// A subscription began to drop messages, once per episode. `subject`, `count` = dropped so far.
  slow_consumer,
  /// A buffered publish was given up. `subject`, `error`, `count` = its bytes. At reconnect, `max_payload_exceeded`:
  /// one event each. By `offline_policy::drop_oldest`, `outbox_full`, and with the end of the connection,
  /// `connection_closed`: the first one of each outage, all are counted in `connection_stats::dropped_publishes`.
  publish_dropped,
  /// The server described itself anew; `info()` has it. `server`.
  info_changed,
  /// A link is encrypted but the server's certificate was not checked, as `insecure_skip_verify` asks. `server`.
  insecure_tls,
};

/// One event; members that a kind does not name are empty.
struct connection_event {
  event_kind kind;
  error_code error;
  /// Address without credentials.
  std::string server;
  std::string subject;
  std::string text;
  std::uint64_t count = 0;
};

/// Receives events on the connection's executor, never from inside another library call.
using event_handler = std::function<void(const connection_event&)>;

const char* to_string(event_kind kind) noexcept;
/// One line without credentials, such as `disconnected nats://127.0.0.1:4222: stale connection`.
std::string to_string(const connection_event& event);

}  // namespace compass_fabric
