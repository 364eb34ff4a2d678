// SPDX-License-Identifier: Apache-2.0
#include "client/bounded_queue.hpp"

#include <algorithm>

namespace compass_fabric::client {

bounded_queue::bounded_queue(const subscribe_options& options) noexcept
    : message_limit_(options.pending_messages_limit),
      byte_limit_(options.pending_bytes_limit),
      policy_(options.at_limit) {}

bool bounded_queue::at_limits() const noexcept {
  return (message_limit_ != 0 && messages_.size() >= message_limit_) ||
         (byte_limit_ != 0 && messages_.bytes() >= byte_limit_);
}

bool bounded_queue::exceeded_by(std::size_t bytes) const noexcept {
  return (message_limit_ != 0 && messages_.size() >= message_limit_) ||
         (byte_limit_ != 0 && !messages_.empty() && messages_.bytes() + bytes > byte_limit_);
}

bool bounded_queue::has_room() const noexcept {
  return (message_limit_ == 0 || messages_.size() <= message_limit_ / 2) &&
         (byte_limit_ == 0 || messages_.bytes() <= byte_limit_ / 2);
}

// How many waiting messages were dropped for a new one of `bytes`.
std::size_t bounded_queue::make_room(std::size_t bytes) noexcept {
  std::size_t dropped = 0;
  for (; exceeded_by(bytes); ++dropped) pop();
  return dropped;
}

std::size_t bounded_queue::push(const message_view& m) {
  std::size_t dropped = 0;
  if (policy_ != limit_policy::stop_reading && exceeded_by(m.size())) {
    dropped = policy_ == limit_policy::drop_oldest ? make_room(m.size()) : 1;
    dropped_ += dropped;
    if (policy_ == limit_policy::drop_newest) return dropped;
  }
  messages_.push(message(m));
  most_messages_ = std::max(most_messages_, messages_.size());
  most_bytes_ = std::max(most_bytes_, messages_.bytes());
  return dropped;
}

message bounded_queue::pop() noexcept {
  if (!messages_.empty()) ++passed_;
  return messages_.pop();
}

void bounded_queue::clear() noexcept {
  passed_ += messages_.size();
  discarded_ += messages_.size();
  messages_.clear();
}

}  // namespace compass_fabric::client
