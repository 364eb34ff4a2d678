// SPDX-License-Identifier: Apache-2.0
// What the server reports about streams, consumers and the account: snapshots, old when they arrive.
#pragma once

#include <compass_fabric/jetstream/config.hpp>
#include <compass_fabric/message.hpp>

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace compass_fabric::jetstream {

/// What a stream holds.
struct stream_state {
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  /// `last_sequence + 1` while it is empty.
  std::uint64_t first_sequence = 0;
  std::optional<timestamp> first_time;
  std::uint64_t last_sequence = 0;
  std::optional<timestamp> last_time;
  std::uint64_t consumers = 0;
  std::uint64_t subjects = 0;
  std::uint64_t deleted = 0;
};

/// One replica of a stream or consumer, besides its leader.
struct replica_info {
  std::string name;
  /// True when it has everything the leader has.
  bool current = false;
  bool offline = false;
  /// Time since it was last heard of.
  std::chrono::nanoseconds active{};
  std::uint64_t lag = 0;
};

/// Who leads a stream or consumer in a cluster.
struct cluster_info {
  std::string name;
  /// Empty while there is none.
  std::string leader;
  std::vector<replica_info> replicas;
};

/// One stream as the server sees it.
struct stream_info {
  stream_config config;
  std::optional<timestamp> created;
  stream_state state;
  /// Absent on a single server.
  std::optional<cluster_info> cluster;
  /// JetStream domain; empty = none.
  std::string domain;
};

/// A position in a consumer's deliveries and in its stream.
struct sequence_info {
  std::uint64_t consumer_sequence = 0;
  std::uint64_t stream_sequence = 0;
  std::optional<timestamp> last_active;
};

/// One consumer as the server sees it.
struct consumer_info {
  std::string stream;
  std::string name;
  std::optional<timestamp> created;
  consumer_config config;
  sequence_info delivered;
  /// Everything up to here is acked.
  sequence_info ack_floor;
  /// Delivered and not acked yet.
  std::uint64_t ack_pending = 0;
  /// Delivered more than once and not acked yet.
  std::uint64_t redelivered = 0;
  /// Pulls waiting at the server.
  std::uint64_t waiting = 0;
  /// Matching messages not delivered yet.
  std::uint64_t pending = 0;
  std::optional<cluster_info> cluster;
  bool push_bound = false;
  bool paused = false;
  std::chrono::nanoseconds pause_remaining{};
};

/// Limits of an account or of one of its tiers; -1 = unlimited.
struct account_limits {
  std::int64_t max_memory = 0;
  std::int64_t max_storage = 0;
  std::int64_t max_streams = 0;
  std::int64_t max_consumers = 0;
  std::int64_t max_ack_pending = 0;
};

/// Use and limits of one replica tier.
struct account_tier {
  std::uint64_t memory = 0;
  std::uint64_t storage = 0;
  std::uint64_t streams = 0;
  std::uint64_t consumers = 0;
  account_limits limits;
};

/// API requests of an account so far.
struct api_usage {
  /// The answering server's API level; 0 = older than 2.11.
  int level = 0;
  std::uint64_t total = 0;
  std::uint64_t errors = 0;
};

/// What an account uses and may use.
struct account_info {
  std::uint64_t memory = 0;
  std::uint64_t storage = 0;
  std::uint64_t streams = 0;
  std::uint64_t consumers = 0;
  account_limits limits;
  /// By name, such as "R3"; `limits` above is zero when there are any.
  std::map<std::string, account_tier> tiers;
  std::string domain;
  api_usage api;
};

/// The stream's answer to a publish.
struct publish_ack {
  std::string stream;
  /// The stored message's; of the first copy when `duplicate`.
  std::uint64_t sequence = 0;
  /// True: the message id was seen within the duplicate window, nothing new was stored. A success.
  bool duplicate = false;
  std::string domain;
};

/// A message read from a stream by its sequence.
struct stored_message {
  std::string subject;
  std::uint64_t sequence = 0;
  std::optional<timestamp> time;
  std::string header_block;
  std::string payload;

  /// The header fields; valid as long as this object is unchanged.
  headers_view headers() const noexcept { return headers_view(header_block); }
};

}  // namespace compass_fabric::jetstream
