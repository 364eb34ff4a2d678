// SPDX-License-Identifier: Apache-2.0
// A received message in two forms: `message_view`, valid inside the handler it was passed to, and `message`, which the
// caller owns.
//
//   nc.subscribe("greet.*", [](const message_view& m) { puts(std::string(m.payload).c_str()); });
//   message m = co_await sub.next(1s);
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <compass_fabric/headers.hpp>

namespace compass_fabric {

/// The parts of one message as views into the receive buffer.
///
/// Lifetime: valid until the handler that received it returns; construct a `message` from it to keep it.
struct message_view {
  /// The subject the message was published to.
  std::string_view subject;
  /// Where an answer goes; empty when none is expected.
  std::string_view reply;
  /// The raw header block with its version line; empty when the message has none.
  std::string_view header_block;
  /// The body; any bytes.
  std::string_view payload;

  /// The header fields, parsed on use.
  headers_view headers() const noexcept { return headers_view(header_block); }
  /// Bytes counted against subscription limits: subject, reply, headers and payload.
  std::size_t size() const noexcept { return subject.size() + reply.size() + header_block.size() + payload.size(); }
};

/// A message its holder owns: one heap block for all its parts. Move-only; `clone` copies on purpose.
///
/// A default-constructed or moved-from message is empty: every part is an empty view.
/// Threads: distinct objects may be used from different threads; a message may be handed to another thread.
class message {
 public:
  message() noexcept = default;
  /// Copies every part of `view` into one block.
  explicit message(const message_view& view);

  std::string_view subject() const noexcept { return view().subject; }
  std::string_view reply() const noexcept { return view().reply; }
  std::string_view payload() const noexcept { return view().payload; }
  headers_view headers() const noexcept { return view().headers(); }
  /// All parts as views, valid as long as this message.
  message_view view() const noexcept;
  /// False for a default-constructed or moved-from message.
  explicit operator bool() const noexcept { return block_ != nullptr; }
  /// An independent copy.
  message clone() const { return block_ ? message(view()) : message(); }

 private:
  friend class message_queue;
  struct block;
  struct free_block {
    void operator()(block* b) const noexcept;
  };
  std::unique_ptr<block, free_block> block_;
};

}  // namespace compass_fabric
