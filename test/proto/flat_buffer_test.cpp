// SPDX-License-Identifier: Apache-2.0
#include "proto/flat_buffer.hpp"

#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <string>

using compass_fabric::proto::flat_buffer;

TEST_CASE("a new buffer is empty and owns nothing", "[flat_buffer]") {
  flat_buffer b;
  CHECK(b.empty());
  CHECK(b.size() == 0);
  CHECK(b.view().empty());
  CHECK(b.capacity() == 0);
  CHECK(b.room() == 0);
  b.append({});
  b.consume(0);
  b.clear();
  CHECK(b.capacity() == 0);
}

TEST_CASE("bytes are appended behind and consumed in front", "[flat_buffer]") {
  flat_buffer b;
  b.append("hello ");
  b.append("world");
  CHECK(b.view() == "hello world");
  b.consume(6);
  CHECK(b.view() == "world");
  CHECK(b.size() == 5);
  b.append("!");
  CHECK(b.view() == "world!");
  b.clear();
  CHECK(b.empty());
  CHECK(b.room() == b.capacity());
}

TEST_CASE("prepared room counts only when committed, and no more than was committed", "[flat_buffer]") {
  flat_buffer b;
  b.append("a");
  char* const at = b.prepare(100);
  REQUIRE(b.room() >= 100);
  CHECK(b.view() == "a");
  std::fill_n(at, 100, 'x');
  b.commit(3);
  CHECK(b.view() == "axxx");
}

TEST_CASE("consuming everything gives the whole block back without moving bytes", "[flat_buffer]") {
  flat_buffer b;
  b.append(std::string(4000, 'x'));
  b.consume(3999);
  CHECK(b.room() < 100);
  b.consume(1);
  CHECK(b.room() == b.capacity());
}

TEST_CASE("room is made inside the block when at most half of it moves", "[flat_buffer]") {
  flat_buffer b;
  b.append(std::string(4096, 'x'));
  const std::size_t capacity = b.capacity();
  REQUIRE(capacity == 4096);
  b.consume(2048);
  b.append(std::string(2048, 'y'));
  CHECK(b.capacity() == capacity);
  CHECK(b.view() == std::string(2048, 'x') + std::string(2048, 'y'));
  b.consume(2047);  // 2049 bytes are more than half
  b.append("z");
  CHECK(b.capacity() == 2 * capacity);
  CHECK(b.view() == "x" + std::string(2048, 'y') + "z");
}

TEST_CASE("appending byte by byte allocates a logarithmic number of times", "[flat_buffer]") {
  flat_buffer b;
  int grown = 0;
  for (int i = 0; i < 1 << 20; ++i) {
    const std::size_t before = b.capacity();
    b.append("x");
    grown += b.capacity() != before;
  }
  CHECK(b.size() == 1 << 20);
  CHECK(grown <= 9);  // 4 KiB to 1 MiB
}

TEST_CASE("a request larger than twice the block is met", "[flat_buffer]") {
  flat_buffer b;
  b.append("head");
  b.prepare(100000);
  CHECK(b.room() >= 100000);
  CHECK(b.view() == "head");
}

TEST_CASE("shrink gives back only an empty block above the limit", "[flat_buffer]") {
  flat_buffer b;
  b.append(std::string(10000, 'x'));
  const std::size_t capacity = b.capacity();
  b.shrink(100);
  CHECK(b.size() == 10000);
  b.clear();
  b.shrink(capacity);
  CHECK(b.capacity() == capacity);
  b.shrink(capacity - 1);
  CHECK(b.capacity() == 0);
  b.append("again");
  CHECK(b.view() == "again");
}

TEST_CASE("swap exchanges content and blocks", "[flat_buffer]") {
  flat_buffer a;
  flat_buffer b;
  a.append("xxleft");
  a.consume(2);
  b.append(std::string(5000, 'r'));
  const char* const left = a.view().data();
  a.swap(b);
  CHECK(a.view() == std::string(5000, 'r'));
  CHECK(b.view() == "left");
  CHECK(b.view().data() == left);
}

TEST_CASE("random use agrees with a string", "[flat_buffer]") {
  std::mt19937 engine(Catch::getSeed());
  INFO("seed " << Catch::getSeed());
  flat_buffer b;
  std::string model;
  for (int i = 0; i < 20000; ++i) {
    if (engine() % 2 == 0) {
      const std::string bytes(engine() % (i % 100 == 0 ? 20000 : 300), static_cast<char>('a' + i % 26));
      b.append(bytes);
      model += bytes;
    } else {
      const std::size_t n = std::min<std::size_t>(engine() % 400, model.size());
      b.consume(n);
      model.erase(0, n);
    }
    REQUIRE(b.view() == model);
  }
}
