// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/instrumentation.hpp>

#include <compass_fabric/connection.hpp>

namespace compass_fabric {

std::string_view operation::name() const noexcept {
  switch (kind) {
    case operation_kind::publish: return "publish";
    case operation_kind::request: return "request";
    case operation_kind::process: return "process";
  }
  return "";
}

void instrumentation::log(log_severity, const connection_event&) {}
trace_context instrumentation::begin(const operation&) { return {}; }
void instrumentation::end(const operation&, const outcome&) {}

log_severity severity_of(event_kind kind) noexcept {
  switch (kind) {
    case event_kind::info_changed:
    case event_kind::servers_discovered: return log_severity::debug;
    case event_kind::connected:
    case event_kind::reconnected:
    case event_kind::closed: return log_severity::info;
    case event_kind::server_error:
    case event_kind::permission_denied:
    case event_kind::publish_dropped: return log_severity::error;
    default: return log_severity::warning;
  }
}

std::vector<std::pair<std::string, std::string>> attributes_of(const operation& op, const outcome& result) {
  std::vector<std::pair<std::string, std::string>> attributes{
      {"messaging.system", "nats"},
      {"messaging.destination.name", std::string(op.subject)},
      {"messaging.operation.name", std::string(op.name())},
      {"messaging.operation.type", op.kind == operation_kind::process ? "process" : "send"},
      {"messaging.message.body.size", std::to_string(op.body_size)}};
  if (result.error) attributes.emplace_back("error.type", result.error.message());
  return attributes;
}

std::string_view duration_metric(operation_kind kind) noexcept {
  return kind == operation_kind::process ? "messaging.process.duration" : "messaging.client.operation.duration";
}

std::vector<metric> metrics_of(const connection& nc) {
  const connection_stats s = nc.stats();
  return {{"messaging.client.sent.messages", "{message}", s.out_messages, false},
          {"messaging.client.consumed.messages", "{message}", s.in_messages, false},
          {"nats.client.sent.bytes", "By", s.out_bytes, false},
          {"nats.client.consumed.bytes", "By", s.in_bytes, false},
          {"nats.client.reconnects", "{reconnect}", s.reconnects, false},
          {"nats.client.consumed.dropped", "{message}", s.dropped_messages, false},
          {"nats.client.sent.replayed", "{message}", s.replayed_publishes, false},
          {"nats.client.sent.dropped", "{message}", s.dropped_publishes, false},
          {"nats.client.requests.pending", "{request}", s.pending_requests, true},
          {"nats.client.outbox.size", "By", s.outbox_bytes, true}};
}

}  // namespace compass_fabric
