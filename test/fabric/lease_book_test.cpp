// SPDX-License-Identifier: Apache-2.0
#include "fabric/lease_book.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric::fabric;
using namespace std::chrono_literals;

namespace {

const auto start = lease_book::clock::time_point{} + 1h;

/// What is due at `at` after the start, as "+1" for a renewal, "-1" for a hand-back and "!1" for a cancellation of
/// delivery 1.
std::string due(lease_book& book, std::chrono::milliseconds at) {
  std::string text;
  for (const auto& [delivery, what] : book.tick(start + at)) {
    text += (what == lease_book::step::renew    ? "+"
             : what == lease_book::step::cancel ? "!"
                                                : "-") +
            std::to_string(delivery);
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

TEST_CASE("[D25] a running handler is not renewed, and is cancelled once when its lease has lapsed", "[fabric]") {
  lease_book book({.ack_wait = 30s});
  book.add(1, start);
  book.run(1, start);
  CHECK(due(book, 10s) == "");
  CHECK(book.held_leases(start + 28s) == 1);
  CHECK(due(book, 29s) == "!1");
  CHECK(book.held_leases(start + 29s) == 0);
  CHECK(due(book, 35s) == "");
}

TEST_CASE("[D25] a handler that asked for it is renewed up to its cap and lapses one ack wait later", "[fabric]") {
  lease_book book({.ack_wait = 30s, .progress_cap = 35s});
  book.add(1, start);
  book.run(1, start);
  for (const auto at : {10s, 20s, 34s}) CHECK(due(book, at) == "+1");
  CHECK(due(book, 45s) == "");
  CHECK(!book.lapsed(1, start + 60s));
  CHECK(due(book, 63s) == "!1");
}

TEST_CASE("[C086] a handler without a cap is renewed for as long as it runs", "[fabric]") {
  lease_book book({.ack_wait = 30s, .progress_cap = std::chrono::milliseconds::max()});
  book.add(1, start);
  book.run(1, start);
  for (int n = 1; n != 20; ++n) CHECK(due(book, n * 10s) == "+1");
}

TEST_CASE("[D1] a held event is renewed for as long as it is held", "[fabric]") {
  lease_book book({.ack_wait = 30s});
  book.add(1, start);
  book.run(1, start);
  book.hold(1);
  for (int n = 1; n != 20; ++n) CHECK(due(book, n * 10s) == "+1");
}

TEST_CASE("[D25] events behind stuck handlers are handed back once every slot is stuck", "[fabric]") {
  lease_book book({.ack_wait = 30s, .slots = 2});
  for (lease_book::id n = 1; n != 5; ++n) book.add(n, start);
  book.run(1, start);
  CHECK(due(book, 10s) == "+2+3+4");
  book.run(2, start + 10s);
  CHECK(due(book, 29s) == "!1+3+4");
  CHECK(!book.stuck());
  CHECK(due(book, 39s) == "!2+3+4");
  CHECK(book.stuck());
  CHECK(due(book, 44s) == "-3-4");
  CHECK(due(book, 50s) == "");
  book.remove(1);
  CHECK(!book.stuck());
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
