// SPDX-License-Identifier: Apache-2.0
#include "proto/flat_buffer.hpp"

#include <openssl/crypto.h>

#include <algorithm>

namespace compass_fabric::proto {

// Compacts when that alone gives the room and at most half the block moves; otherwise grows by doubling, so that a
// stream of appends copies each byte a bounded number of times.
void flat_buffer::make_room(std::size_t n) {
  const std::size_t used = size();
  if (capacity_ >= used + n && used <= capacity_ / 2) {
    std::memmove(block_.get(), block_.get() + begin_, used);
  } else {
    const std::size_t wanted = std::max({used + n, capacity_ * 2, std::size_t{4096}});
    std::unique_ptr<char[]> bigger(new char[wanted]);
    if (used != 0) std::memcpy(bigger.get(), block_.get() + begin_, used);
    block_ = std::move(bigger);
    capacity_ = wanted;
  }
  begin_ = 0;
  end_ = used;
}

void flat_buffer::wipe() noexcept {
  if (block_) OPENSSL_cleanse(block_.get(), capacity_);
  clear();
}

}  // namespace compass_fabric::proto
