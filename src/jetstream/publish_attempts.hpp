// SPDX-License-Identifier: Apache-2.0
// Whether and when a publish is tried again. Pure: told how an attempt ended and when.
#pragma once

#include <chrono>

#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/jetstream/publish_options.hpp>

namespace compass_fabric::jetstream {

/// What to do after an attempt: try again at `retry_at`, or stop with `error`.
struct publish_decision {
  error_code error;
  std::chrono::steady_clock::time_point retry_at;

  bool again() const noexcept { return !error; }
};

/// The attempts of one message within one budget.
///
/// A refusal that may pass is retried always: nothing was stored. An unseen ack is retried only for a message with an
/// id, which the stream stores once. Once an ack was not seen, running out of budget means "stored or not".
class publish_attempts {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  publish_attempts(const publish_retry& retry, bool has_id, time_point now) noexcept;

  /// How long the attempt that starts at `now` may wait for its ack; at least one millisecond.
  std::chrono::milliseconds ack_wait(time_point now) const noexcept;
  /// Nobody took the message.
  publish_decision no_stream(time_point now) noexcept;
  /// The stream refused with `error`; `err_code` tells whether that may pass.
  publish_decision refused(int err_code, error_code error, time_point now) noexcept;
  /// The ack did not come: time-out, or a lost link.
  publish_decision no_ack(time_point now) noexcept;

 private:
  publish_decision pause_or(errc out_of_time, time_point now) noexcept;

  publish_retry retry_;
  bool has_id_;
  bool in_doubt_ = false;
  time_point end_;
  std::chrono::milliseconds delay_;
};

/// True for a refusal that asks for patience: no leader yet, still catching up, or intake full.
bool may_pass(int err_code) noexcept;

}  // namespace compass_fabric::jetstream
