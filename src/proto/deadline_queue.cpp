// SPDX-License-Identifier: Apache-2.0
#include "proto/deadline_queue.hpp"

namespace compass_fabric::proto {

deadline_node::~deadline_node() {
  if (queue_ != nullptr) queue_->erase(*this);
}

void deadline_queue::set(deadline_node& node, time_point at) noexcept {
  erase(node);
  if (at == time_point::max()) return;
  deadline_node* after = last_;
  while (after != nullptr && after->at_ > at) after = after->previous_;
  deadline_node*& link = after == nullptr ? first_ : after->next_;
  node.at_ = at;
  node.queue_ = this;
  node.previous_ = after;
  node.next_ = link;
  (link == nullptr ? last_ : link->previous_) = &node;
  link = &node;
}

void deadline_queue::erase(deadline_node& node) noexcept {
  if (node.queue_ != this) return;
  (node.previous_ == nullptr ? first_ : node.previous_->next_) = node.next_;
  (node.next_ == nullptr ? last_ : node.next_->previous_) = node.previous_;
  node.queue_ = nullptr;
  node.previous_ = node.next_ = nullptr;
}

std::optional<time_point> deadline_queue::earliest() const noexcept {
  if (first_ == nullptr) return std::nullopt;
  return first_->at_;
}

deadline_node* deadline_queue::pop_expired(time_point now) noexcept {
  deadline_node* node = first_;
  if (node == nullptr || node->at_ > now) return nullptr;
  erase(*node);
  return node;
}

}  // namespace compass_fabric::proto
