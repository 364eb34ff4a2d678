// SPDX-License-Identifier: Apache-2.0
// Counts the heap calls of this thread: the test binary's malloc family is its own, and passes every call on to the C
// library. Sanitizers bring a malloc too, so it is not built with them.
//
//   const heap_calls counted;
//   ... work ...
//   CHECK(counted.so_far() == 0);
#pragma once

#include <cstddef>

namespace compass_fabric::testing {

/// Counts from its construction on, in the thread that made it. Blocks taken are counted, blocks given back are not.
class heap_calls {
 public:
  heap_calls() noexcept;
  std::size_t so_far() const noexcept;

 private:
  std::size_t start_;
};

}  // namespace compass_fabric::testing
