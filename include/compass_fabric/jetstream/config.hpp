// SPDX-License-Identifier: Apache-2.0
// What streams and consumers are made of. Plain data: an unset member is not sent, so the server's default (or, in
// `create_or_update_*`, the present value) holds. Members this library does not know survive in `unknown`.
//
//   stream_config orders;
//   orders.name = "ORDERS";
//   orders.subjects = {"orders.>"};
//   orders.max_age = std::chrono::hours(48);
#pragma once

#include <compass_fabric/jetstream/policies.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace compass_fabric::jetstream {

/// A point in the server's time.
using timestamp = std::chrono::sys_time<std::chrono::nanoseconds>;

/// Members by key, each with its value as JSON text. Read from a server they are sent back unchanged; a caller may set
/// keys of a newer server here. A typed member of the same key wins.
using unknown_members = std::map<std::string, std::string>;

/// Where a stream's replicas may live.
struct placement {
  std::string cluster;
  std::vector<std::string> tags;
  unknown_members unknown;
};

/// A rewrite of subjects.
struct subject_transform {
  std::string source;
  std::string destination;
  unknown_members unknown;
};

/// Another account's or domain's API, for `stream_source`.
struct external_stream {
  /// Its API prefix, such as `$JS.hub.API`.
  std::string api_prefix;
  std::string deliver_prefix;
  unknown_members unknown;
};

/// A stream to mirror or to copy from.
struct stream_source {
  std::string name;
  std::optional<std::uint64_t> start_sequence;
  std::optional<timestamp> start_time;
  /// Exclusive with `subject_transforms`.
  std::string filter_subject;
  std::vector<subject_transform> subject_transforms;
  std::optional<external_stream> external;
  unknown_members unknown;
};

/// Copies of stored messages on core NATS.
struct republish {
  std::string source;
  std::string destination;
  std::optional<bool> headers_only;
  unknown_members unknown;
};

/// Defaults and caps for a stream's consumers.
struct consumer_limits {
  std::optional<std::chrono::nanoseconds> inactive_threshold;
  std::optional<std::int64_t> max_ack_pending;
  unknown_members unknown;
};

/// A stream's configuration. Source: the server's stream API; a blank default means the server's.
struct stream_config {
  /// Required; no blank, `.`, `*`, `>`, `/`, `\`, at most 255 bytes.
  std::string name;
  std::string description;
  /// Subjects it stores; none = its own name.
  std::vector<std::string> subjects;
  /// limits by default.
  std::optional<retention_policy> retention;
  /// file by default.
  std::optional<storage_type> storage;
  /// old_messages by default.
  std::optional<discard_policy> discard;
  /// Needs discard new_messages and `max_messages_per_subject`.
  std::optional<bool> discard_new_per_subject;
  /// -1 = unlimited, for all counts and sizes.
  std::optional<std::int64_t> max_consumers;
  std::optional<std::int64_t> max_messages;
  std::optional<std::int64_t> max_messages_per_subject;
  std::optional<std::int64_t> max_bytes;
  /// Header and payload together.
  std::optional<std::int64_t> max_message_size;
  /// 0 = keep for ever, else at least 100 ms.
  std::optional<std::chrono::nanoseconds> max_age;
  /// 1 to 5; 1 by default.
  std::optional<int> replicas;
  /// True: publishes are never acknowledged.
  std::optional<bool> no_ack;
  /// How long message ids are remembered; 2 minutes by default, never above `max_age`.
  std::optional<std::chrono::nanoseconds> duplicate_window;
  std::optional<jetstream::placement> placement;
  std::optional<stream_source> mirror;
  std::vector<stream_source> sources;
  std::optional<store_compression> compression;
  /// Sequence of the first message; at creation only.
  std::optional<std::uint64_t> first_sequence;
  std::optional<jetstream::subject_transform> subject_transform;
  std::optional<jetstream::republish> republish;
  std::optional<bool> allow_direct;
  std::optional<bool> mirror_direct;
  std::optional<bool> sealed;
  std::optional<bool> deny_delete;
  std::optional<bool> deny_purge;
  std::optional<bool> allow_rollup;
  std::optional<bool> allow_message_ttl;
  std::optional<jetstream::consumer_limits> consumer_limits;
  /// Keys that begin with `_nats` are the server's and take no part in comparisons.
  std::map<std::string, std::string> metadata;
  unknown_members unknown;
};

/// A consumer's configuration. Source: the server's consumer API.
struct consumer_config {
  /// Required; same characters as a stream name.
  std::string name;
  /// True: it outlives its users. False: the server removes it after `inactive_threshold` (5 s by default) without
  /// pulls.
  bool durable = true;
  std::string description;
  /// all by default.
  std::optional<jetstream::deliver_policy> deliver_policy;
  /// Only with their policy.
  std::optional<std::uint64_t> start_sequence;
  std::optional<timestamp> start_time;
  /// Always sent: the server's own default would be none.
  jetstream::ack_policy ack_policy = jetstream::ack_policy::explicit_ack;
  /// 30 s by default; `backoff[0]` replaces it.
  std::optional<std::chrono::nanoseconds> ack_wait;
  /// Deliveries per message, at least the length of `backoff`; -1 = no limit.
  std::optional<std::int64_t> max_deliver;
  /// Ack waits by delivery count, the last one repeats. Not applied to `nak`.
  std::vector<std::chrono::nanoseconds> backoff;
  /// One filter here, or several in `filter_subjects`, never both.
  std::string filter_subject;
  std::vector<std::string> filter_subjects;
  std::optional<jetstream::replay_policy> replay_policy;
  /// Pulls that may wait at the server; 512 by default.
  std::optional<std::int64_t> max_waiting;
  /// Deliveries without an ack before delivery stops, over all clients; 1000 by default, -1 = no limit.
  std::optional<std::int64_t> max_ack_pending;
  std::optional<bool> headers_only;
  /// Caps of one pull; 0 = none.
  std::optional<std::int64_t> max_batch;
  std::optional<std::chrono::nanoseconds> max_expires;
  std::optional<std::int64_t> max_bytes;
  std::optional<std::chrono::nanoseconds> inactive_threshold;
  /// 0 = as the stream.
  std::optional<int> replicas;
  std::optional<bool> memory_storage;
  /// "N" or "N%" of the acks reported as metrics.
  std::string sample_frequency;
  std::optional<timestamp> pause_until;
  std::vector<std::string> priority_groups;
  std::optional<jetstream::priority_policy> priority_policy;
  std::optional<std::chrono::nanoseconds> priority_timeout;
  std::map<std::string, std::string> metadata;
  unknown_members unknown;
};

/// One setting that is not as wanted; both values as JSON text, `found` is "unset" when the server reports none.
struct config_difference {
  std::string field;
  std::string wanted;
  std::string found;
};

/// The members set in `wanted` that `found` (as read from a server) does not fulfil. Server defaults, the order of
/// subjects, filters and sources, and `_nats` metadata make no difference. `unknown` members of `wanted` are compared
/// as text.
std::vector<config_difference> differences(const stream_config& wanted, const stream_config& found);
std::vector<config_difference> differences(const consumer_config& wanted, const consumer_config& found);

}  // namespace compass_fabric::jetstream
