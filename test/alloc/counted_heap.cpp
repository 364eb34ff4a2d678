// SPDX-License-Identifier: Apache-2.0
#include "counted_heap.hpp"

#include <cerrno>

// What the C library calls its own allocator; operator new and Asio's aligned allocations end in the names below.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

// Of plain type: reading it must not itself allocate.
thread_local std::size_t calls = 0;

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  ++calls;
  return __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  ++calls;
  return __libc_calloc(count, size);
}

void* realloc(void* block, std::size_t size) {
  ++calls;
  return __libc_realloc(block, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  ++calls;
  return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++calls;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  ++calls;
  *block = __libc_memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}

}  // extern "C"

namespace compass_fabric::testing {

heap_calls::heap_calls() noexcept : start_(calls) {}

std::size_t heap_calls::so_far() const noexcept { return calls - start_; }

}  // namespace compass_fabric::testing
