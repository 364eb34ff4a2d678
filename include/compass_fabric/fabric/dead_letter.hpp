// SPDX-License-Identifier: Apache-2.0
// The dead letter: the header fields of a parked event on the dead-letter subject. Its payload is the event's, byte for
// byte. It is a tap for operators over core NATS, lost when nobody listens; recovery reads the database.
#pragma once

#include <string_view>

namespace compass_fabric::fabric {

/// The concrete subject the event was delivered on; it names the tenant also for a subscription to every tenant.
inline constexpr std::string_view original_subject_header = "Compass-Original-Subject";
/// Why it was parked; control bytes are replaced by blanks.
inline constexpr std::string_view park_reason_header = "Compass-Park-Reason";
/// The durable consumer that gave the event up, and the event's place in the stream.
inline constexpr std::string_view park_consumer_header = "Compass-Park-Consumer";
inline constexpr std::string_view park_sequence_header = "Compass-Park-Sequence";

}  // namespace compass_fabric::fabric
