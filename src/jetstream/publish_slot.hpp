// SPDX-License-Identifier: Apache-2.0
// One message of a publisher's window, kept until its outcome is known.
#pragma once

#include "jetstream/publish_attempts.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include <compass_fabric/connection.hpp>
#include <compass_fabric/headers.hpp>

namespace compass_fabric::jetstream {

/// A place in the window; its strings keep their memory from one message to the next.
struct publish_slot {
  /// free: no message. filling: waits for room in the connection's buffer. sent: an ack is awaited until `due`.
  /// pausing: to be sent again at `due`. parked: to be sent again when the link is back.
  enum class state { free, filling, sent, pausing, parked };

  state now = state::free;
  /// Grows with every use, so that no reply subject is ever used for two messages.
  std::uint64_t generation = 0;
  std::uint64_t tag = 0;
  /// Where the ack goes: the inbox and the token.
  std::string reply;
  std::string subject;
  std::string payload;
  headers fields;
  std::optional<publish_attempts> attempts;
  publish_attempts::time_point due{};
};

/// How the slot's message goes out; valid as long as the slot is unchanged.
inline compass_fabric::publish_options wire_options(const publish_slot& slot) {
  compass_fabric::publish_options options;
  options.reply = slot.reply;
  if (!slot.fields.empty()) options.fields = &slot.fields;
  return options;
}

}  // namespace compass_fabric::jetstream
