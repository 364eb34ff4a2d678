// SPDX-License-Identifier: Apache-2.0
// How a subscription paces the attempts of an event whose handler failed, and the exception by which a handler says
// that nothing is wrong with the event.
//
//   fabric.subscribe_kind(kind, [&](const event& e) {
//     if (!store.reachable()) throw transient_error("store is down");
//     store.apply(e.ref);
//   });
#pragma once

#include <chrono>
#include <stdexcept>
#include <vector>

namespace compass_fabric::fabric {

/// Thrown by a handler for a condition that would fail any event, such as a database that is away. The subscription
/// keeps the event, renews its lease with the server, pauses with growing delay and runs the handler again: the server
/// sees one delivery however long it takes, so the outage spends no attempt. Any other exception is a failed attempt.
class transient_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Retry pacing of one subscription. The default is the specification's: the next attempt follows at once.
struct retry_policy {
  /// Delay before the next attempt, by attempts made; the last value repeats. Empty = at once. A delayed event counts
  /// against `max_ack_pending` meanwhile, so keep the delays short where many events may fail.
  std::vector<std::chrono::milliseconds> failure_delays;
  /// Pause after the first transient failure in a row; it doubles with each further one.
  std::chrono::milliseconds transient_delay{100};
  /// Upper bound of that pause.
  std::chrono::milliseconds transient_max_delay{30'000};
  /// An event held back this long by transient failures counts as failed: one that is mistaken for an outage must not
  /// stop the subscription for ever.
  std::chrono::milliseconds transient_limit{600'000};
};

}  // namespace compass_fabric::fabric
