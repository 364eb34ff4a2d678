// SPDX-License-Identifier: Apache-2.0
// What happens inside the fabric, as typed events for logs and alarms, and as counters. Nothing is logged otherwise.
//
//   event_fabric fabric(nc, {}, [](const fabric_event& e) { std::puts(to_string(e).c_str()); });
#pragma once

#include <compass_fabric/error.hpp>
#include <compass_fabric/jetstream/plain_handler.hpp>

#include <cstdint>
#include <string>

namespace compass_fabric::fabric {

/// The kinds of events. A handled event is only counted.
enum class fabric_event_kind {
  /// A handler threw; the event is delivered again or parked next. `text` is what it threw.
  attempt_failed,
  /// A handler reported an outage; the subscription pauses. `text`; `attempt`.
  paused,
  /// The first event was handled after a pause.
  resumed,
  /// An event went to the dead-letter subject and is not delivered again. `text` is the reason.
  parked,
  /// The dead letter could not be published; the event is not delivered again all the same. `error`, `text`.
  dead_letter_failed,
  /// The server could not be told to stop delivering a parked event. `error`.
  term_failed,
  /// A handled event could not be acked; it is delivered once more. `error`.
  ack_failed,
  /// A failed event could not be handed back; it is delivered again after the ack wait. `error`.
  nak_failed,
  /// A payload is no event reference; parked next. `text`.
  malformed,
  /// A delivery's metadata cannot be read; the server's budget alone applies to it.
  metadata_unreadable,
  /// A delivery was not answered within the ack wait; the server delivers it again or reports it as used up.
  lapsed,
  /// Every handler outlived its lease and ignores its cancellation; waiting events were handed back. `count` of them.
  stuck,
  /// The server gave up on an event without an answer; read from the stream to be parked. `attempt` = deliveries.
  max_deliveries,
  /// An event the server gave up on could not be read from the stream; there is no dead letter. `error`.
  park_failed,
  /// The shared consumer is not configured as this process declares it: another process runs another config. `text`.
  drift,
  /// The consumer was gone and was made anew.
  consumer_recreated,
  /// The flow of events was interrupted and goes on by itself. `error`, `text`.
  flow_interrupted,
  /// Three replicas could not be had. `count` = replicas instead, `text` is the server's reason.
  replicas_fallback,
  /// A concrete subscription exists beside one to every tenant, so its events are handled twice. `subject`.
  overlap,
  /// The stream ends before an event that this process saw stored: the server came back with older data. `sequence` is
  /// the newest event known, `count` the stream's end. Events between them are gone; their rows are in the database.
  stream_regressed,
  /// The consumer is ahead of its stream, which lost its end, and delivers nothing until the stream has caught up.
  /// `text`.
  consumer_ahead,
};

/// One event; members that a kind does not name are empty, `subject` and `sequence` are set where one event is meant.
struct fabric_event {
  fabric_event_kind kind;
  /// The event's subject, or the subscription's.
  std::string subject = {};
  /// Its place in the stream; 0 = unknown.
  std::uint64_t sequence = 0;
  /// Which delivery it was; 0 = unknown.
  std::uint64_t attempt = 0;
  error_code error = {};
  std::string text = {};
  std::uint64_t count = 0;
};

/// Receives events on the connection's executor. What it throws leaves through the executor's run function; the fabric
/// goes on.
using fabric_event_handler = jetstream::plain_handler<void(const fabric_event&)>;

const char* to_string(fabric_event_kind kind) noexcept;
/// One line, such as `parked <subject> seq 7 attempt 5: boom`.
std::string to_string(const fabric_event& e);

/// Counters of one subscription since its start.
struct delivery_stats {
  /// Deliveries taken over, redeliveries among them.
  std::uint64_t delivered = 0;
  std::uint64_t redelivered = 0;
  /// How attempts ended.
  std::uint64_t handled = 0;
  std::uint64_t failed = 0;
  std::uint64_t transient = 0;
  std::uint64_t malformed = 0;
  std::uint64_t lapsed = 0;
  /// What followed.
  std::uint64_t parked = 0;
  std::uint64_t handed_back = 0;
  std::uint64_t ack_failed = 0;
  std::uint64_t dead_letter_failed = 0;
  std::uint64_t metadata_unreadable = 0;
  /// Events in hand now, running ones included.
  std::size_t in_hand = 0;
};

}  // namespace compass_fabric::fabric
