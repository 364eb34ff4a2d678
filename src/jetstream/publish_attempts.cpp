// SPDX-License-Identifier: Apache-2.0
#include "jetstream/publish_attempts.hpp"

#include <algorithm>

#include "proto/deadline_queue.hpp"

namespace compass_fabric::jetstream {

using std::chrono::milliseconds;

bool may_pass(int err_code) noexcept {
  switch (err_code) {
    case code::system_unavailable:
    case code::insufficient_resources:
    case code::sequence_mismatch:
    case code::duplicate_in_process:
    case code::subject_sequence_not_ready:
    case code::too_many_requests: return true;
    default: return false;
  }
}

publish_attempts::publish_attempts(const publish_retry& retry, bool has_id, time_point now) noexcept
    : retry_(retry), has_id_(has_id), end_(proto::deadline_after(now, retry.budget)), delay_(retry.initial_delay) {}

milliseconds publish_attempts::ack_wait(time_point now) const noexcept {
  const auto left = std::chrono::ceil<milliseconds>(end_ - now);
  return std::clamp(left, milliseconds(1), retry_.ack_timeout);
}

publish_decision publish_attempts::no_stream(time_point now) noexcept {
  return pause_or(in_doubt_ ? errc::ack_unknown : errc::no_stream_response, now);
}

publish_decision publish_attempts::refused(int err_code, error_code error, time_point now) noexcept {
  if (!may_pass(err_code)) return {error, now};
  const auto decision = pause_or(errc::ack_unknown, now);
  if (decision.again() || in_doubt_) return decision;
  return {error, now};
}

publish_decision publish_attempts::no_ack(time_point now) noexcept {
  if (!has_id_) return {errc::ack_unknown, now};
  in_doubt_ = true;
  return pause_or(errc::ack_unknown, now);
}

/// A retry must leave time to hear of it, so one that would start at the very end is not made.
publish_decision publish_attempts::pause_or(errc out_of_time, time_point now) noexcept {
  const auto at = proto::deadline_after(now, delay_);
  delay_ = delay_ > retry_.max_delay / 2 ? retry_.max_delay : delay_ * 2;
  if (at >= end_) return {out_of_time, now};
  return {{}, at};
}

}  // namespace compass_fabric::jetstream
