// SPDX-License-Identifier: Apache-2.0
#include "client/block_cache.hpp"

#include <array>
#include <new>

// A block that lies here is as good as freed: whoever still reads it is told so where AddressSanitizer watches.
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) static_cast<void>(0)
#define ASAN_UNPOISON_MEMORY_REGION(at, size) static_cast<void>(0)
#endif

namespace compass_fabric::client {
namespace {

constexpr std::size_t step = 64;
constexpr std::size_t classes = block_cache::largest / step;

constexpr std::size_t class_of(std::size_t size) noexcept { return (size - 1) / step; }
constexpr std::size_t class_size(std::size_t index) noexcept { return (index + 1) * step; }

struct node {
  node* next;
};

struct lists {
  std::array<node*, classes> first;
  std::size_t bytes;
  bool over;  // the thread ends
};

// It needs no destructor, so that a message which goes after the thread's other objects still finds it.
constinit thread_local lists kept_here{};

node* pop(std::size_t index) noexcept {
  node* const top = kept_here.first[index];
  if (top == nullptr) return nullptr;
  ASAN_UNPOISON_MEMORY_REGION(top, class_size(index));
  kept_here.first[index] = top->next;
  kept_here.bytes -= class_size(index);
  return top;
}

void push(void* at, std::size_t index) noexcept {
  kept_here.first[index] = new (at) node{kept_here.first[index]};
  kept_here.bytes += class_size(index);
  ASAN_POISON_MEMORY_REGION(static_cast<char*>(at) + sizeof(node), class_size(index) - sizeof(node));
}

struct thread_end {
  ~thread_end() {
    kept_here.over = true;
    for (std::size_t i = 0; i < classes; ++i)
      while (node* const top = pop(i)) ::operator delete(top);
  }
  void watch() const noexcept {}
};
thread_local thread_end end_of_thread;

}  // namespace

void* block_cache::take(std::size_t size) {
  if (size == 0 || size > largest) return ::operator new(size);
  const std::size_t index = class_of(size);
  if (node* const top = pop(index)) return top;
  return ::operator new(class_size(index));
}

void block_cache::give(void* at, std::size_t size) noexcept {
  const std::size_t index = class_of(size);
  if (size == 0 || size > largest || kept_here.over || kept_here.bytes + class_size(index) > limit) {
    ::operator delete(at);
    return;
  }
  if (kept_here.bytes == 0) end_of_thread.watch();  // a thread that never keeps anything has nothing to give back
  push(at, index);
}

std::size_t block_cache::kept() noexcept { return kept_here.bytes; }

}  // namespace compass_fabric::client
