// SPDX-License-Identifier: Apache-2.0
// The retry rule: what happens to a delivered event after its attempt. Pure; the delivery loop carries it out.
#pragma once

#include <compass_fabric/fabric/retry_policy.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace compass_fabric::fabric {

/// How an attempt ended.
enum class outcome { handled, failed, transient, undecodable };

/// One finished attempt.
struct attempt {
  outcome result;
  /// What the handler or the decoder said; empty when handled.
  std::string error;
  /// The server's count of deliveries, this one included; nothing when the metadata cannot be read.
  std::optional<std::uint64_t> num_delivered;
  /// The server's ack wait may have ended during the attempt: the event is, or is about to be, somebody else's.
  bool lapsed = false;
  /// How long transient failures have held this delivery back.
  std::chrono::milliseconds held{0};
};

enum class verdict {
  ack,
  /// Hand back; the next attempt follows after the decision's delay.
  nak,
  /// Dead letter, then term.
  park,
  /// Keep it, renew its lease, try again after the pause.
  hold,
  /// Say nothing: the server delivers it again, or reports its last delivery as used up.
  leave,
};

struct decision {
  verdict what;
  std::chrono::milliseconds delay{0};
};

/// Decides by the budget `max_deliver`, which counts deliveries. Undecodable: park, no further delivery changes the
/// bytes. Failed: nak below the budget, park at it; without metadata nak, the server's own budget is the backstop. A
/// lapsed failure is left alone: answering it would spend, or park twice, a delivery that is no longer ours.
decision decide(const attempt& finished, const retry_policy& policy, std::uint64_t max_deliver);

/// The pause after `failures` (1 or more) transient failures in a row.
std::chrono::milliseconds transient_pause(const retry_policy& policy, unsigned failures);

}  // namespace compass_fabric::fabric
