// SPDX-License-Identifier: Apache-2.0
// What arrives on a pull's reply subject besides messages: status lines that end the pull or keep it alive.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/message.hpp>

namespace compass_fabric::jetstream {

/// The kinds of status lines, by what they ask of the client.
enum class status_kind {
  /// Sign of life; the pull goes on. Flow control, which pulls never see, counts as one.
  heartbeat,
  /// The pull ended as agreed: nothing there, time over, or its bytes used up.
  no_messages,
  expired,
  completed,
  /// The next message does not fit the pull's bytes.
  too_large,
  /// The pull was turned away; later it may be taken.
  too_many_pulls,
  no_responders,
  /// The pull was cut short; a new one may be sent.
  leadership_change,
  server_shutdown,
  other,
  /// The pull can never be served.
  refused,
  consumer_deleted,
  push_consumer,
};

/// A status line.
struct pull_status {
  status_kind kind = status_kind::other;
  int code = 0;
  /// The server's text; a view into the message.
  std::string_view text;
  /// The unused part of the pull, where the server tells it.
  std::optional<std::uint64_t> pending_messages;
  std::optional<std::uint64_t> pending_bytes;
};

/// The status line in `m`; nothing when it is a message. Messages always carry a reply subject, statuses only for flow
/// control.
std::optional<pull_status> read_status(const message_view& m);

/// The condition a kind stands for; no error for the agreed ends and heartbeats.
error_code error_of(status_kind kind) noexcept;

}  // namespace compass_fabric::jetstream
