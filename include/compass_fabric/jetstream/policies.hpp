// SPDX-License-Identifier: Apache-2.0
// The choices of stream and consumer configurations, with the texts the server uses for them.
#pragma once

namespace compass_fabric::jetstream {

/// When a message leaves the stream: by limits only, when nobody interested is left, or when it was acked.
enum class retention_policy { limits, interest, work_queue };
/// Where messages are kept.
enum class storage_type { file, memory };
/// What goes when a limit is reached: the oldest messages, or the one being published.
enum class discard_policy { old_messages, new_messages };
enum class store_compression { none, s2 };

/// Where a consumer begins.
enum class deliver_policy { all, last, new_messages, by_start_sequence, by_start_time, last_per_subject };
/// Which acks a consumer expects: none, each message, or cumulative.
enum class ack_policy { none, all, explicit_ack, flow_control };
/// As fast as possible, or in the pace of the original publishes.
enum class replay_policy { instant, original };
enum class priority_policy { none, overflow, pinned_client, prioritized };

/// The server's text, static storage.
const char* to_string(retention_policy value) noexcept;
const char* to_string(storage_type value) noexcept;
const char* to_string(discard_policy value) noexcept;
const char* to_string(store_compression value) noexcept;
const char* to_string(deliver_policy value) noexcept;
const char* to_string(ack_policy value) noexcept;
const char* to_string(replay_policy value) noexcept;
const char* to_string(priority_policy value) noexcept;

}  // namespace compass_fabric::jetstream
