// SPDX-License-Identifier: Apache-2.0
// The port to logs, traces and metrics: what a connection does, told to an object of yours. Names follow
// OpenTelemetry's semantic conventions for messaging, so an exporter is a few lines.
//
//   struct exporter : instrumentation {
//     trace_context begin(const operation& op) override { return tracer.start(op.name(), op.parent); }
//     void end(const operation& op, const outcome& o) override { histogram.record(o.duration, attributes_of(op, o)); }
//   };
//   options.hooks = std::make_shared<exporter>();
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <compass_fabric/connection_event.hpp>
#include <compass_fabric/trace_context.hpp>

namespace compass_fabric {

class connection;

enum class operation_kind { publish, request, process };
enum class log_severity { debug, info, warning, error };

/// Something a connection does with one message. Its views live as long as the call that shows it.
struct operation {
  operation_kind kind;
  std::string_view subject;
  std::size_t body_size = 0;
  /// Of `process`: what the message's headers say. Invalid otherwise.
  trace_context parent;

  /// `publish`, `request` or `process`.
  std::string_view name() const noexcept;
};

/// How an operation ended.
struct outcome {
  std::chrono::nanoseconds duration{0};
  /// Not for `process`, whose handler's exceptions are not caught here.
  error_code error;
  /// What `begin` returned.
  trace_context context;
};

/// Implement what you need; everything does nothing by default. Called on the connection's executor, inside the
/// library: it must not block, throw, or call the connection.
class instrumentation {
 public:
  instrumentation() = default;
  instrumentation(const instrumentation&) = delete;
  instrumentation& operator=(const instrumentation&) = delete;
  virtual ~instrumentation() = default;

  /// Every connection event as a log record.
  virtual void log(log_severity severity, const connection_event& event);
  /// A message is about to be published, requested with, or handled by a plain or coroutine handler. A valid result
  /// travels in the headers of what is sent, in place of what the caller put there.
  virtual trace_context begin(const operation& op);
  /// It is done: buffered, answered, or handled. Every `begin` has its `end`, unless the context is destroyed before.
  virtual void end(const operation& op, const outcome& result);
};

log_severity severity_of(event_kind kind) noexcept;

/// Attributes of a span or a duration, by OpenTelemetry's names (`messaging.system`, `messaging.destination.name`,
/// `messaging.operation.name`, `messaging.operation.type`, `messaging.message.body.size`, `error.type`).
std::vector<std::pair<std::string, std::string>> attributes_of(const operation& op, const outcome& result);

/// The metric that durations of this kind belong to: `messaging.client.operation.duration` or
/// `messaging.process.duration`, in seconds.
std::string_view duration_metric(operation_kind kind) noexcept;

/// One value to export.
struct metric {
  std::string_view name;
  /// UCUM unit such as `{message}` or `By`.
  std::string_view unit;
  std::uint64_t value;
  /// False: it only grows. True: it is the present value.
  bool gauge;
};

/// The connection's counters under OpenTelemetry's names (`messaging.client.sent.messages`,
/// `messaging.client.consumed.messages`), and under `nats.client.` where it has none. Read when an exporter collects.
std::vector<metric> metrics_of(const connection& nc);

}  // namespace compass_fabric
