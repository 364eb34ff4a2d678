// SPDX-License-Identifier: Apache-2.0
#include "proto/slot_table.hpp"

#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <random>
#include <vector>

using compass_fabric::proto::slot_table;

TEST_CASE("an empty table knows nobody", "[slot_table]") {
  const slot_table<int> table;
  CHECK(table.size() == 0);
  for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 20, ~std::uint64_t{0}})
    CHECK(table.find(key) == nullptr);
}

TEST_CASE("a key finds its object until it is erased, and never again", "[slot_table]") {
  slot_table<int> table;
  int a = 0;
  int b = 0;
  const auto key_a = table.insert(&a);
  const auto key_b = table.insert(&b);
  CHECK(key_a != 0);
  CHECK(key_b != 0);
  CHECK(key_a != key_b);
  CHECK(table.find(key_a) == &a);
  CHECK(table.find(key_b) == &b);
  CHECK(table.size() == 2);
  table.erase(key_a);
  CHECK(table.find(key_a) == nullptr);
  CHECK(table.find(key_b) == &b);
  CHECK(table.size() == 1);

  const auto key_c = table.insert(&a);  // takes over the slot
  CHECK(key_c != key_a);
  CHECK(table.find(key_c) == &a);
  CHECK(table.find(key_a) == nullptr);
}

TEST_CASE("erasing what is not there changes nothing", "[slot_table]") {
  slot_table<int> table;
  int a = 0;
  table.erase(0);
  table.erase(5);
  const auto old = table.insert(&a);
  table.erase(old);
  const auto key = table.insert(&a);
  for (const auto unknown : {std::uint64_t{0}, old, key + 1, key + table.max_objects, ~std::uint64_t{0}})
    table.erase(unknown);
  CHECK(table.find(key) == &a);
  CHECK(table.size() == 1);
}

TEST_CASE("the key a free slot will have next finds nobody yet", "[slot_table]") {
  slot_table<int> table;
  int a = 0;
  const auto key = table.insert(&a);
  table.erase(key);
  CHECK(table.find(key + table.max_objects) == nullptr);
  table.erase(key + table.max_objects);
  CHECK(table.size() == 0);
  CHECK(table.insert(&a) == key + table.max_objects);
}

TEST_CASE("a full table refuses, and takes again once a place is free", "[slot_table]") {
  slot_table<int> table;
  int a = 0;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < table.max_objects; ++i) last = table.insert(&a);
  REQUIRE(last != 0);
  CHECK(table.insert(&a) == 0);
  CHECK(table.size() == table.max_objects);
  table.erase(last);
  const auto again = table.insert(&a);
  CHECK(again != 0);
  CHECK(again != last);
  CHECK(table.find(again) == &a);
  CHECK(table.insert(&a) == 0);
}

TEST_CASE("each object is visited once and may be erased by its visitor", "[slot_table]") {
  slot_table<std::uint64_t> table;
  std::vector<std::uint64_t> keys(10);
  for (auto& key : keys) key = table.insert(&key);
  table.erase(keys[3]);
  std::vector<std::uint64_t> seen;
  table.for_each([&](std::uint64_t& key) {
    seen.push_back(key);
    if (seen.size() % 2 == 0) table.erase(key);
  });
  CHECK(seen.size() == 9);
  CHECK(std::find(seen.begin(), seen.end(), keys[3]) == seen.end());
  std::sort(seen.begin(), seen.end());
  CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  CHECK(table.size() == 5);
}

TEST_CASE("C045 a million keys never repeat, whatever the order they end in", "[slot_table]") {
  std::mt19937 engine(Catch::getSeed());
  INFO("seed " << Catch::getSeed());
  slot_table<int> table;
  int object = 0;
  std::vector<std::uint64_t> open;
  std::vector<std::uint64_t> all;
  all.reserve(1000000);
  while (all.size() < 1000000) {
    if (!open.empty() && engine() % 64 < open.size()) {
      std::swap(open[engine() % open.size()], open.back());
      table.erase(open.back());
      open.pop_back();
    } else {
      open.push_back(table.insert(&object));
      all.push_back(open.back());
    }
  }
  CHECK(table.size() == open.size());
  std::sort(open.begin(), open.end());
  std::size_t found = 0;
  for (const auto key : all) {
    if (table.find(key) == nullptr) continue;
    ++found;
    if (!std::binary_search(open.begin(), open.end(), key)) FAIL("the ended key " << key << " was found");
  }
  CHECK(found == open.size());
  std::sort(all.begin(), all.end());
  CHECK(all.front() != 0);
  CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}
