// SPDX-License-Identifier: Apache-2.0
// What goes with a publish into a stream: identity, expectations, and how long to try.
#pragma once

#include <compass_fabric/headers.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace compass_fabric::jetstream {

/// How long a publish is tried. Both durations must be positive.
struct publish_retry {
  /// Wait for one acknowledgement.
  std::chrono::milliseconds ack_timeout{5000};
  /// Everything together: attempts, waits for acks and pauses. The default outlasts the election of a stream leader.
  std::chrono::milliseconds budget{15000};
  /// Pause before the first retry; it doubles up to `max_delay`.
  std::chrono::milliseconds initial_delay{100};
  std::chrono::milliseconds max_delay{1000};
};

/// Options of one publish. The views must live until it completes.
struct publish_options {
  /// Identity of the message: a second publish of it within the stream's duplicate window stores nothing. Also what
  /// makes a retry after an unseen ack safe; without it such a publish ends with `ack_unknown` at once.
  std::string_view message_id;
  /// Further header fields; null = none.
  const headers* fields = nullptr;
  /// Conditions the stream must meet, else nothing is stored; empty or unset = none.
  std::string_view expected_stream;
  std::optional<std::uint64_t> expected_last_sequence;
  /// 0 = no message of this subject yet.
  std::optional<std::uint64_t> expected_last_subject_sequence;
  std::string_view expected_last_message_id;
  publish_retry retry;
};

}  // namespace compass_fabric::jetstream
