// SPDX-License-Identifier: Apache-2.0
// JetStream's error conditions as a plain enum, usable without Boost. `jetstream/error.hpp` makes error codes of them.
#pragma once

namespace compass_fabric::jetstream {

/// What can go wrong between a caller and JetStream. Values are stable; new ones are added at the end.
enum class errc {
  /// A stream or consumer name cannot be part of an API subject; the text names it and the offending character.
  invalid_name = 1,
  /// An option or configuration value is outside its documented range.
  invalid_option,
  /// The reply is not what the API promises: not JSON, a member of the wrong type, or no stream in an acknowledgement.
  invalid_reply,
  /// The server refused the request for a reason without an entry of its own here; see `api_error`.
  refused,
  /// JetStream is off, out of reach under this prefix or domain, or has no leader now. Trying again later may help.
  unavailable,
  /// The account's or the server's limits do not allow it.
  insufficient_resources,
  /// There is no such stream.
  stream_not_found,
  /// There is no such consumer.
  consumer_not_found,
  /// There is no message of that sequence or subject.
  message_not_found,
  /// The stream or consumer exists with another configuration.
  config_mismatch,
  /// No stream took the publish within the budget: none covers the subject, or it has no leader.
  no_stream_response,
  /// The publish may or may not be stored: its acknowledgement was never seen. Also: a double ack without confirmation.
  ack_unknown,
  /// An expected last sequence or last message id was not the stream's.
  wrong_last_sequence,
  /// The stream's limits refuse the message (discard policy `new`), or its intake is full.
  stream_full,
  /// The publisher's window has no room; only `try_publish` reports this.
  window_full,
  /// The consumer, or its stream, was deleted.
  consumer_deleted,
  /// The consumer pushes; it cannot be pulled from.
  push_consumer,
  /// Nothing arrived for two heartbeat intervals.
  missed_heartbeats,
  /// Too many pulls wait at the consumer.
  too_many_pulls,
  /// The next message is larger than the pull's `max_bytes`.
  message_too_large,
  /// The server cannot serve the pull as asked: above the consumer's caps, or malformed.
  pull_refused,
  /// The consumer's leader moved; the pull ended.
  leadership_change,
  /// The server that led the consumer is shutting down; the pull ended.
  server_shutdown,
  /// This delivery was already acked, nak'ed or terminated.
  already_acked,
  /// The message was not delivered by JetStream: its reply subject is not an acknowledgement subject.
  not_a_jetstream_message,
};

/// A short lower-case text for `e`, static storage.
constexpr const char* to_string(errc e) noexcept {
  switch (e) {
    case errc::invalid_name: return "invalid name";
    case errc::invalid_option: return "invalid option";
    case errc::invalid_reply: return "invalid reply";
    case errc::refused: return "refused by the server";
    case errc::unavailable: return "JetStream unavailable";
    case errc::insufficient_resources: return "insufficient resources";
    case errc::stream_not_found: return "stream not found";
    case errc::consumer_not_found: return "consumer not found";
    case errc::message_not_found: return "message not found";
    case errc::config_mismatch: return "exists with another configuration";
    case errc::no_stream_response: return "no stream took the message";
    case errc::ack_unknown: return "acknowledgement not seen";
    case errc::wrong_last_sequence: return "wrong last sequence";
    case errc::stream_full: return "stream full";
    case errc::window_full: return "publish window full";
    case errc::consumer_deleted: return "consumer deleted";
    case errc::push_consumer: return "push consumer";
    case errc::missed_heartbeats: return "missed heartbeats";
    case errc::too_many_pulls: return "too many waiting pulls";
    case errc::message_too_large: return "message larger than max_bytes";
    case errc::pull_refused: return "pull refused";
    case errc::leadership_change: return "leadership change";
    case errc::server_shutdown: return "server shutdown";
    case errc::already_acked: return "already acknowledged";
    case errc::not_a_jetstream_message: return "not a JetStream message";
  }
  return "unknown error";
}

}  // namespace compass_fabric::jetstream
