// SPDX-License-Identifier: Apache-2.0
// What a connection that is being watched does in addition: latencies, and the calls of its instrumentation.
#pragma once

#include <compass_fabric/instrumentation.hpp>
#include <compass_fabric/latency_histogram.hpp>
#include <compass_fabric/message.hpp>
#include <compass_fabric/options.hpp>

#include "client/event_hub.hpp"
#include "client/scheduler.hpp"

namespace compass_fabric::client {

class observer {
 public:
  explicit observer(const connect_options& options) noexcept
      : hooks_(options.hooks), measures_latency_(options.measure_latency) {}

  /// False: none of the rest need be called.
  bool active() const noexcept { return hooks_ != nullptr || measures_latency_; }
  bool measures_latency() const noexcept { return measures_latency_; }
  const std::shared_ptr<instrumentation>& hooks() const noexcept { return hooks_; }

  /// Bytes were put into an empty outbox; and it is empty again.
  void outbox_filled() noexcept { filled_at_ = scheduler::now(); }
  void outbox_emptied();
  void request_answered(std::chrono::nanoseconds taken);

  const latency_histogram& request_latency() const noexcept { return request_latency_; }
  const latency_histogram& write_latency() const noexcept { return write_latency_; }

 private:
  std::shared_ptr<instrumentation> hooks_;
  latency_histogram request_latency_;
  latency_histogram write_latency_;
  proto::time_point filled_at_{};
  bool measures_latency_;
};

/// The operation of handling `m`.
operation processing(const message_view& m);

/// One operation between `begin` and `end`; ends as failed with `operation_aborted` when it is destroyed before.
class observed_operation {
 public:
  /// `hooks` may be null: nothing happens then. Views must outlive it.
  observed_operation(std::shared_ptr<instrumentation> hooks, operation op);
  observed_operation(const observed_operation&) = delete;
  observed_operation& operator=(const observed_operation&) = delete;
  ~observed_operation() { end(asio::error::operation_aborted); }

  /// What to send instead of `given`: with the trace context, if there is one. Valid as long as this object.
  const headers* fields(const headers* given);
  void end(error_code ec);

 private:
  std::shared_ptr<instrumentation> hooks_;
  operation op_;
  outcome outcome_;
  headers own_fields_;
  proto::time_point start_{};
};

}  // namespace compass_fabric::client
