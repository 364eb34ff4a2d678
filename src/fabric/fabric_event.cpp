// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/fabric_event.hpp>

namespace compass_fabric::fabric {

const char* to_string(fabric_event_kind kind) noexcept {
  switch (kind) {
    case fabric_event_kind::attempt_failed: return "attempt failed";
    case fabric_event_kind::paused: return "paused";
    case fabric_event_kind::resumed: return "resumed";
    case fabric_event_kind::parked: return "parked";
    case fabric_event_kind::dead_letter_failed: return "dead letter failed";
    case fabric_event_kind::term_failed: return "term failed";
    case fabric_event_kind::ack_failed: return "ack failed";
    case fabric_event_kind::nak_failed: return "nak failed";
    case fabric_event_kind::malformed: return "malformed";
    case fabric_event_kind::metadata_unreadable: return "metadata unreadable";
    case fabric_event_kind::lapsed: return "lapsed";
    case fabric_event_kind::stuck: return "stuck";
    case fabric_event_kind::max_deliveries: return "max deliveries";
    case fabric_event_kind::park_failed: return "park failed";
    case fabric_event_kind::drift: return "drift";
    case fabric_event_kind::consumer_recreated: return "consumer recreated";
    case fabric_event_kind::flow_interrupted: return "flow interrupted";
    case fabric_event_kind::replicas_fallback: return "replicas fallback";
    case fabric_event_kind::overlap: return "overlap";
    case fabric_event_kind::stream_regressed: return "stream regressed";
    case fabric_event_kind::consumer_ahead: return "consumer ahead of the stream";
  }
  return "unknown";
}

std::string to_string(const fabric_event& e) {
  std::string line = to_string(e.kind);
  if (!e.subject.empty()) line.append(" ").append(e.subject);
  if (e.sequence != 0) line.append(" seq ").append(std::to_string(e.sequence));
  if (e.attempt != 0) line.append(" attempt ").append(std::to_string(e.attempt));
  if (e.count != 0) line.append(" count ").append(std::to_string(e.count));
  if (!e.text.empty()) line.append(": ").append(e.text);
  if (e.error) line.append(": ").append(e.error.message());
  return line;
}

}  // namespace compass_fabric::fabric
