// SPDX-License-Identifier: Apache-2.0
#include "proto/inbox.hpp"

#include "proto/subject.hpp"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <random>
#include <set>
#include <string>

using namespace compass_fabric::proto;

namespace {

/// Counts upwards, so that every byte value is seen.
random_source counting(unsigned start = 0) {
  return [next = start](std::span<std::byte> bytes) mutable {
    for (auto& byte : bytes) byte = static_cast<std::byte>(next++);
  };
}

random_source constant(unsigned value) {
  return [value](std::span<std::byte> bytes) {
    for (auto& byte : bytes) byte = static_cast<std::byte>(value);
  };
}

}  // namespace

TEST_CASE("an id has 22 base62 characters and its random part stays", "[inbox]") {
  id_generator ids(counting());
  const std::string first(ids.next());
  const std::string second(ids.next());
  CHECK(first.size() == 22);
  CHECK(first.starts_with("0123456789AB"));
  CHECK(second.substr(0, 12) == first.substr(0, 12));
  CHECK(second != first);
  CHECK(valid_token(first));
}

TEST_CASE("ids do not repeat", "[inbox]") {
  id_generator ids(counting(7));
  std::set<std::string> seen;
  for (int i = 0; i < 20000; ++i) seen.emplace(ids.next());
  CHECK(seen.size() == 20000);
}

TEST_CASE("bytes that would favour some characters are drawn again", "[inbox]") {
  // 248..255 are skipped and 0 follows them, so the id must look as if it began at 0.
  id_generator skipping(counting(248));
  id_generator plain(counting(0));
  CHECK(std::string(skipping.next()) == std::string(plain.next()));
}

TEST_CASE("every character is equally likely in the random part", "[inbox]") {
  std::mt19937 engine(1);
  std::array<unsigned, 256> count{};
  constexpr unsigned rounds = 10000;
  for (unsigned i = 0; i < rounds; ++i) {
    id_generator ids([&engine](std::span<std::byte> bytes) {
      for (auto& byte : bytes) byte = static_cast<std::byte>(engine() & 0xff);
    });
    for (const char byte : ids.next().substr(0, 12)) ++count[static_cast<unsigned char>(byte)];
  }
  // 1935 expected with a standard deviation of 44; a plain modulo would give the first eight 2344.
  for (const char byte : std::string("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")) {
    INFO("character " << byte);
    CHECK(count[static_cast<unsigned char>(byte)] > 1935 - 6 * 44);
    CHECK(count[static_cast<unsigned char>(byte)] < 1935 + 6 * 44);
  }
}

TEST_CASE("when the counting part overflows everything is drawn anew", "[inbox]") {
  unsigned draws = 0;
  id_generator ids([&draws](std::span<std::byte> bytes) {
    const unsigned value = ++draws == 1 ? 61 : 5;
    for (auto& byte : bytes) byte = static_cast<std::byte>(value);
  });
  CHECK(std::string(ids.next()) == "5555555555555555555555");
  CHECK(draws == 2);
}

TEST_CASE("a carry passes through the counting part and leaves the random part alone", "[inbox]") {
  unsigned at = 0;
  // Random part Z..., counting part 0 followed by nine z, step 33.
  const std::array<unsigned, 23> digits = {35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35, 35,
                                           0,  61, 61, 61, 61, 61, 61, 61, 61, 61, 0};
  id_generator ids([&](std::span<std::byte> bytes) {
    for (auto& byte : bytes) byte = static_cast<std::byte>(digits[at++ % digits.size()]);
  });
  CHECK(std::string(ids.next()) == "ZZZZZZZZZZZZ100000000W");
}

TEST_CASE("an inbox is the prefix, a dot and a new id, and a valid subject", "[inbox]") {
  id_generator ids(constant(10));
  const auto inbox = inbox_subject("_INBOX.team", ids);
  CHECK(inbox.starts_with("_INBOX.team.AAAA"));
  CHECK(inbox.size() == std::string("_INBOX.team.").size() + 22);
  CHECK(valid_publish_subject(inbox));
  CHECK(inbox_subject("_INBOX.team", ids) != inbox);
}

TEST_CASE("an inbox prefix is literal and leaves room for the id", "[inbox]") {
  CHECK(valid_inbox_prefix("_INBOX"));
  CHECK(valid_inbox_prefix("a.b"));
  for (const auto prefix : {"", "_INBOX.", "a.*", ">", "a b", ".a"}) CHECK_FALSE(valid_inbox_prefix(prefix));
  CHECK(valid_inbox_prefix(std::string(max_subject_size - 23, 'p')));
  CHECK_FALSE(valid_inbox_prefix(std::string(max_subject_size - 22, 'p')));
}
