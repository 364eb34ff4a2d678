// SPDX-License-Identifier: Apache-2.0
#include "fabric/lease_book.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric::fabric;
using namespace std::chrono_literals;

namespace {

const auto start = lease_book::clock::time_point{} + 1h;

/// What is due at `at` after the start, as "+1" for a renewal and "-1" for a hand-back of delivery 1.
std::string due(lease_book& book, std::chrono::milliseconds at) {
  std::string text;
  for (const auto& [delivery, what] : book.tick(start + at)) {
    text += (what == lease_book::step::renew ? "+" : "-") + std::to_string(delivery);
  }
  return text;
}

}  // namespace

TEST_CASE("[D24] an event that waits its turn is renewed every third of the ack wait", "[fabric]") {
  lease_book book({.ack_wait = 30s});
  book.add(1, start);
  book.add(2, start + 5s);
  CHECK(due(book, 9s) == "");
  CHECK(due(book, 10s) == "+1");
  CHECK(due(book, 14s) == "");
  CHECK(due(book, 20s) == "+1+2");
  book.remove(1);
  CHECK(due(book, 30s) == "+2");
  CHECK(!book.lapsed(2, start + 50s));
}

TEST_CASE("[D25] a running handler is not renewed unless asked for, and then up to its cap", "[fabric]") {
  lease_book plain({.ack_wait = 30s});
  plain.add(1, start);
  plain.run(1, start);
  CHECK(due(plain, 10s) == "");
  CHECK(plain.lapsed(1, start + 30s));

  lease_book beating({.ack_wait = 30s, .progress_cap = 35s});
  beating.add(1, start);
  beating.run(1, start);
  CHECK(due(beating, 10s) == "+1");
  CHECK(due(beating, 20s) == "+1");
  CHECK(due(beating, 34s) == "+1");
  CHECK(due(beating, 45s) == "");
  CHECK(!beating.lapsed(1, start + 60s));
  CHECK(beating.lapsed(1, start + 64s));
}

TEST_CASE("[D1] a held event is renewed for as long as it is held", "[fabric]") {
  lease_book book({.ack_wait = 30s});
  book.add(1, start);
  book.run(1, start);
  book.hold(1);
  for (int n = 1; n != 20; ++n) CHECK(due(book, n * 10s) == "+1");
}

TEST_CASE("[D25] events behind a stuck handler are handed back once every slot is stuck", "[fabric]") {
  lease_book book({.ack_wait = 30s, .slots = 2});
  for (lease_book::id n = 1; n != 5; ++n) book.add(n, start);
  book.run(1, start);
  CHECK(due(book, 10s) == "+2+3+4");
  book.run(2, start + 10s);
  CHECK(due(book, 30s) == "+3+4");
  CHECK(due(book, 40s) == "-3-4");
  CHECK(due(book, 50s) == "");
}

TEST_CASE("[D18] a lease lapses with a margin before the ack wait and is then never renewed", "[fabric]") {
  lease_book book({.ack_wait = 30s});
  book.add(1, start);
  CHECK(!book.lapsed(1, start + 28s));
  CHECK(book.lapsed(1, start + 29s));
  CHECK(due(book, 29s) == "");
  CHECK(book.lapsed(7, start));
  lease_book quick({.ack_wait = 1s});
  quick.add(1, start);
  CHECK(!quick.lapsed(1, start + 899ms));
  CHECK(quick.lapsed(1, start + 900ms));
}
