// SPDX-License-Identifier: Apache-2.0
// Owned messages in arrival order, linked through their own blocks: queueing allocates nothing beyond the message.
#pragma once

#include <cstddef>

#include <compass_fabric/message.hpp>

namespace compass_fabric {

class message_queue {
 public:
  message_queue() noexcept = default;
  message_queue(const message_queue&) = delete;
  message_queue& operator=(const message_queue&) = delete;
  ~message_queue() { clear(); }

  void push(message m) noexcept;
  /// The oldest message; empty when there is none.
  message pop() noexcept;
  void clear() noexcept;

  bool empty() const noexcept { return first_ == nullptr; }
  std::size_t size() const noexcept { return size_; }
  /// Bytes as `message_view::size` counts them.
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  message::block* first_ = nullptr;
  message::block* last_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace compass_fabric
