// SPDX-License-Identifier: Apache-2.0
// The declared topology: one stream for every tenant, one durable consumer per subscribed subject. All of it derives
// from one `config`, and because the consumers are shared every process of a deployment must run the same one.
//
//   config settings;
//   settings.max_deliver = 3;
//   event_fabric fabric(nc, settings);
#pragma once

#include <compass_fabric/fabric/error.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::fabric {

/// The stream that stores every comms event.
inline constexpr std::string_view comms_stream_name = "COMPASS_COMMS";

/// How many servers keep a copy of the stream.
enum class replica_count {
  /// Three when the server belongs to a cluster, else one. A cluster that cannot place three gets one, and an event
  /// says so.
  automatic,
  one,
  three,
};

/// What to do when stream or consumer are missing or differ from what is declared.
enum class topology_mode {
  /// Create or update them.
  apply,
  /// Change nothing; refuse with every mismatch named.
  verify,
  /// Create what is missing; refuse to change what exists.
  verify_or_apply,
};

/// The values that may differ between deployments. The defaults are the specification's.
struct config {
  /// Delivery attempts in all before an event is parked, 1 or more; 1 parks on the first failure. The budget of the
  /// process and of the server.
  int max_deliver = 5;
  /// Without an answer for this long an event is delivered again, to any process. 10 ms or more.
  std::chrono::milliseconds ack_wait = std::chrono::seconds(30);
  /// Events that may be unanswered at once on one consumer, over all processes; 1 or more.
  int max_ack_pending = 1000;
  /// How long an event is kept; a subscriber further behind recovers from its database. At least `duplicate_window`.
  std::chrono::milliseconds max_age = std::chrono::hours(24);
  /// Two publishes with one message id within this time store one event. 100 ms or more.
  std::chrono::milliseconds duplicate_window = std::chrono::minutes(2);
  replica_count replicas = replica_count::automatic;
  /// Limits at which the oldest events go; negative = none.
  std::int64_t max_messages = -1;
  std::int64_t max_bytes = -1;

  bool operator==(const config&) const = default;
};

/// The first value of `settings` outside its range as a fault of code `invalid_config`, or nothing.
std::optional<fault> check(const config& settings);

/// The name of the durable consumer of `subject`: `comms-` and the full hex SHA-256 of the subject. Subject tokens may
/// hold any character that could stand for the dot, so only a hash keeps the names of two subjects apart.
std::string durable_name(std::string_view subject);

}  // namespace compass_fabric::fabric
