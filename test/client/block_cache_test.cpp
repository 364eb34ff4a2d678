// SPDX-License-Identifier: Apache-2.0
#include "client/block_cache.hpp"

#include <compass_fabric/message.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace compass_fabric;
using client::block_cache;

namespace {

// Every check runs on a thread of its own, whose cache is empty. Assertions stay with the thread that runs the test.
template <class F>
void on_new_thread(F&& f) {
  std::thread(std::forward<F>(f)).join();
}

message numbered(std::size_t size) {
  const std::string payload(size, 'x');
  return message({"s", {}, {}, payload});
}

}  // namespace

TEST_CASE("a block given back serves the next one of its size", "[message][memory]") {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, block_cache::largest}) {
    bool same = false;
    std::size_t kept = 0;
    std::size_t kept_after = 1;
    on_new_thread([&] {
      void* const first = block_cache::take(size);
      block_cache::give(first, size);
      kept = block_cache::kept();
      void* const second = block_cache::take(size);
      same = first == second;
      kept_after = block_cache::kept();
      block_cache::give(second, size);
    });
    CHECK(same);
    CHECK(kept >= size);
    CHECK(kept < size + 64);
    CHECK(kept_after == 0);
  }
}

TEST_CASE("a block of another size is left alone", "[message][memory]") {
  std::size_t kept = 0;
  on_new_thread([&] {
    block_cache::give(block_cache::take(64), 64);
    void* const larger = block_cache::take(65);
    kept = block_cache::kept();
    block_cache::give(larger, 65);
  });
  CHECK(kept == 64);
}

TEST_CASE("empty and large blocks are the heap's", "[message][memory]") {
  std::size_t kept = 1;
  on_new_thread([&] {
    for (const std::size_t size : {std::size_t{0}, block_cache::largest + 1, std::size_t{1} << 20})
      block_cache::give(block_cache::take(size), size);
    kept = block_cache::kept();
  });
  CHECK(kept == 0);
}

TEST_CASE("a thread keeps no more than its limit", "[message][memory]") {
  std::size_t kept = 0;
  on_new_thread([&] {
    std::vector<message> many;
    for (std::size_t i = 0; i < 2 * block_cache::limit / 256; ++i) many.push_back(numbered(200));
    many.clear();
    kept = block_cache::kept();
  });
  CHECK(kept <= block_cache::limit);
  CHECK(kept > block_cache::limit - 256);
}

TEST_CASE("a message may go on another thread, and after the cache of its thread", "[message][memory]") {
  message handed_over = numbered(100);
  std::size_t kept = 0;
  on_new_thread([&] {
    thread_local message last =
        numbered(100);  // made before the first block came back, hence destroyed after the cache
    static_cast<void>(last);
    {
      const message gone = std::move(handed_over);
    }
    kept = block_cache::kept();
  });
  CHECK(kept > 100);
  CHECK_FALSE(handed_over);
}
