// SPDX-License-Identifier: Apache-2.0
// Memory of messages that are gone, kept by their thread for the next ones.
//
// Messages come and go in bunches: a read brings hundreds, whose owner then lets go of them one after the other. The
// general heap keeps only a few blocks at hand and does its full work for the rest.
#pragma once

#include <cstddef>

namespace compass_fabric::client {

/// A block may be given back on another thread than the one that took it: that thread keeps it.
class block_cache {
 public:
  /// Larger blocks come from the heap and go back to it.
  static constexpr std::size_t largest = 2048;
  /// What a thread keeps at most, in bytes; the rest goes back to the heap, and all of it when the thread ends.
  static constexpr std::size_t limit = 256 * 1024;

  /// At least `size` bytes, aligned for any object of fundamental alignment. Throws `std::bad_alloc`.
  static void* take(std::size_t size);
  /// `at` came from `take(size)`.
  static void give(void* at, std::size_t size) noexcept;
  /// The bytes this thread keeps.
  static std::size_t kept() noexcept;
};

}  // namespace compass_fabric::client
