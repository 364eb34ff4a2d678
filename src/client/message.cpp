// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/message.hpp>

#include <cstring>
#include <new>

#include "client/block_cache.hpp"
#include "client/message_queue.hpp"

namespace compass_fabric {

// Subject, reply, header block and payload lie behind it, in this order.
struct message::block {
  block* next;
  std::size_t payload_size;
  std::uint32_t subject_size;
  std::uint32_t reply_size;
  std::uint32_t header_size;

  std::size_t size() const noexcept { return payload_size + subject_size + reply_size + header_size; }
  char* data() noexcept { return reinterpret_cast<char*>(this + 1); }
  message_view view() noexcept {
    const char* const subject = data();
    const char* const reply = subject + subject_size;
    const char* const header = reply + reply_size;
    return {{subject, subject_size}, {reply, reply_size}, {header, header_size}, {header + header_size, payload_size}};
  }
};

void message::free_block::operator()(block* b) const noexcept {
  client::block_cache::give(b, sizeof(block) + b->size());
}

message::message(const message_view& v)
    : block_(new(client::block_cache::take(sizeof(block) + v.size()))
                 block{nullptr, v.payload.size(), static_cast<std::uint32_t>(v.subject.size()),
                       static_cast<std::uint32_t>(v.reply.size()), static_cast<std::uint32_t>(v.header_block.size())}) {
  char* at = block_->data();
  for (const std::string_view part : {v.subject, v.reply, v.header_block, v.payload}) {
    if (!part.empty()) std::memcpy(at, part.data(), part.size());
    at += part.size();
  }
}

message_view message::view() const noexcept { return block_ ? block_->view() : message_view{}; }

void message_queue::push(message m) noexcept {
  message::block* const b = m.block_.release();
  b->next = nullptr;
  (last_ == nullptr ? first_ : last_->next) = b;
  last_ = b;
  ++size_;
  bytes_ += b->size();
}

message message_queue::pop() noexcept {
  message m;
  if (first_ == nullptr) return m;
  m.block_.reset(first_);
  first_ = first_->next;
  if (first_ == nullptr) last_ = nullptr;
  --size_;
  bytes_ -= m.block_->size();
  return m;
}

void message_queue::clear() noexcept {
  while (!empty()) pop();
}

}  // namespace compass_fabric
