// SPDX-License-Identifier: Apache-2.0
// Bytes on their way to the server: a buffer that is filled while another one is written, and what becomes of both when
// the link breaks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "proto/flat_buffer.hpp"

namespace compass_fabric::proto {

/// A publish found in the outbox while no link writes it.
struct buffered_publish {
  std::string_view subject;
  std::string_view reply;
  /// Header block and payload together.
  std::size_t size;
};

/// Two flat buffers: operations are appended to one, the writer takes it and sends the other. Both start at an
/// operation.
class outbox {
 public:
  bool empty() const noexcept { return pending_.empty() && sending_.empty(); }
  /// Bytes not yet handed to the transport.
  std::size_t size() const noexcept { return pending_.size() + sending_.size() - sent_; }

  /// Where operations are appended.
  flat_buffer& pending() noexcept { return pending_; }

  /// The bytes to write next; valid until `wrote` empties them. Empty when there is nothing to do.
  std::string_view front();
  /// The transport accepted `n` bytes of `front()`.
  void wrote(std::size_t n) noexcept;

  /// What was appended so far is the last that `front` gives; later operations wait for `keep_publishes`.
  void seal() noexcept { seal_ = pending_.size(); }

  /// The link is gone: keeps the publishes that were not handed over whole, in order, and drops every other operation,
  /// for subscriptions and pings belong to a link. `keep(publish)` decides on each. Returns how many were kept.
  ///
  /// A publish that was only partly written is kept whole: the server discards the incomplete one.
  std::size_t keep_publishes(const std::function<bool(const buffered_publish&)>& keep);

  /// While no link writes, after `keep_publishes`: drops the oldest operation, telling `dropped` when it is a publish.
  /// Does nothing when empty.
  void drop_oldest(const std::function<void(const buffered_publish&)>& dropped);

 private:
  void hold_back();

  flat_buffer pending_;
  flat_buffer sending_;
  static constexpr std::size_t open = SIZE_MAX;
  std::size_t sent_ = 0;     // bytes of sending_ the transport has accepted
  std::size_t seal_ = open;  // bytes of pending_ that may still be sent
};

}  // namespace compass_fabric::proto
