// SPDX-License-Identifier: Apache-2.0
#include "client/observer.hpp"

#include <utility>

namespace compass_fabric::client {

void observer::outbox_emptied() {
  const auto since = std::exchange(filled_at_, {});
  if (measures_latency_ && since != proto::time_point{}) write_latency_.record(scheduler::now() - since);
}

void observer::request_answered(std::chrono::nanoseconds taken) {
  if (measures_latency_) request_latency_.record(taken);
}

operation processing(const message_view& m) {
  return {operation_kind::process, m.subject, m.payload.size(), extract(m.headers()).value_or(trace_context{})};
}

observed_operation::observed_operation(std::shared_ptr<instrumentation> hooks, operation op)
    : hooks_(std::move(hooks)), op_(std::move(op)) {
  if (!hooks_) return;
  start_ = scheduler::now();
  outcome_.context = hooks_->begin(op_);
}

const headers* observed_operation::fields(const headers* given) {
  if (!outcome_.context.valid()) return given;
  if (given != nullptr) own_fields_ = *given;
  inject(outcome_.context, own_fields_);
  return &own_fields_;
}

void observed_operation::end(error_code ec) {
  const auto hooks = std::exchange(hooks_, nullptr);
  if (!hooks) return;
  outcome_.error = ec;
  outcome_.duration = scheduler::now() - start_;
  hooks->end(op_, outcome_);
}

}  // namespace compass_fabric::client
