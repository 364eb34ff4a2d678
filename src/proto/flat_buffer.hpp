// SPDX-License-Identifier: Apache-2.0
// A growable run of bytes that is filled at the end and consumed at the front: the receive buffer and both send
// buffers.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace compass_fabric::proto {

/// Bytes [begin, end) of one heap block. Unlike std::string it neither zero-fills nor moves bytes on `consume`.
class flat_buffer {
 public:
  bool empty() const noexcept { return begin_ == end_; }
  std::size_t size() const noexcept { return end_ - begin_; }
  std::size_t capacity() const noexcept { return capacity_; }
  std::string_view view() const noexcept { return {block_.get() + begin_, size()}; }

  /// Room for at least `n` more bytes behind the content; earlier views end. Write there, then `commit`.
  char* prepare(std::size_t n) {
    if (capacity_ - end_ < n) make_room(n);
    return block_.get() + end_;
  }
  /// Free bytes behind the content.
  std::size_t room() const noexcept { return capacity_ - end_; }
  void commit(std::size_t n) noexcept { end_ += n; }
  void append(std::string_view bytes) {
    if (bytes.empty()) return;
    std::memcpy(prepare(bytes.size()), bytes.data(), bytes.size());
    commit(bytes.size());
  }
  /// Drops `n` bytes from the front.
  void consume(std::size_t n) noexcept {
    begin_ += n;
    if (begin_ == end_) begin_ = end_ = 0;
  }
  /// Drops what is behind the first `n` bytes.
  void truncate(std::size_t n) noexcept { end_ = n < size() ? begin_ + n : end_; }
  void clear() noexcept { begin_ = end_ = 0; }
  /// Overwrites the whole block and empties it.
  void wipe() noexcept;
  /// Gives the block back when it grew beyond `limit` and holds nothing.
  void shrink(std::size_t limit) noexcept {
    if (empty() && capacity_ > limit) {
      block_.reset();
      capacity_ = 0;
    }
  }
  void swap(flat_buffer& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(capacity_, other.capacity_);
    std::swap(begin_, other.begin_);
    std::swap(end_, other.end_);
  }

 private:
  void make_room(std::size_t n);

  std::unique_ptr<char[]> block_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace compass_fabric::proto
