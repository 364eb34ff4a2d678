// SPDX-License-Identifier: Apache-2.0
// The messages of one subscription that wait to be taken, and what happens to those beyond its limits.
#pragma once

#include <cstddef>
#include <cstdint>

#include <compass_fabric/options.hpp>

#include "client/message_queue.hpp"

namespace compass_fabric::client {

/// One message always fits an empty queue, whatever its size.
class bounded_queue {
 public:
  explicit bounded_queue(const subscribe_options& options) noexcept;

  /// Queues a copy of `m` as the policy says. Returns how many messages were dropped for it, or instead of it.
  std::size_t push(const message_view& m);
  /// The oldest message; empty when there is none.
  message pop() noexcept;
  /// Drops what waits without counting it as dropped at the limits.
  void clear() noexcept;

  bool empty() const noexcept { return messages_.empty(); }
  std::size_t size() const noexcept { return messages_.size(); }
  std::size_t bytes() const noexcept { return messages_.bytes(); }
  /// At its limits under `stop_reading`: nothing more should be pushed until `has_room`.
  bool wants_stop() const noexcept { return policy_ == limit_policy::stop_reading && at_limits(); }
  /// Half empty again: reading may go on, and the next drop begins a new episode.
  bool has_room() const noexcept;

  /// How many left the queue in any way. The message pushed next will be number `passed() + size()`.
  std::uint64_t passed() const noexcept { return passed_; }
  std::uint64_t dropped() const noexcept { return dropped_; }
  std::uint64_t discarded() const noexcept { return discarded_; }
  std::size_t most_messages() const noexcept { return most_messages_; }
  std::size_t most_bytes() const noexcept { return most_bytes_; }

 private:
  bool at_limits() const noexcept;
  bool exceeded_by(std::size_t bytes) const noexcept;
  std::size_t make_room(std::size_t bytes) noexcept;

  message_queue messages_;
  std::size_t message_limit_;
  std::size_t byte_limit_;
  std::size_t most_messages_ = 0;
  std::size_t most_bytes_ = 0;
  std::uint64_t passed_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t discarded_ = 0;
  limit_policy policy_;
};

}  // namespace compass_fabric::client
