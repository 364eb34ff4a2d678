// SPDX-License-Identifier: Apache-2.0
#include "proto/deadline_queue.hpp"

#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

using namespace compass_fabric::proto;
using namespace std::chrono_literals;

namespace {

struct node : deadline_node {};

constexpr time_point at(int seconds) { return time_point(std::chrono::seconds(seconds)); }

/// The same queue the slow way: sorted by deadline, equal ones in the order they were set.
struct model {
  std::vector<std::pair<time_point, node*>> entries;

  void erase(const node& n) {
    std::erase_if(entries, [&](const auto& e) { return e.second == &n; });
  }
  void set(node& n, time_point deadline) {
    erase(n);
    if (deadline == time_point::max()) return;
    const auto place = std::upper_bound(entries.begin(), entries.end(), deadline,
                                        [](time_point t, const auto& e) { return t < e.first; });
    entries.insert(place, {deadline, &n});
  }
  node* pop_expired(time_point now) {
    if (entries.empty() || entries.front().first > now) return nullptr;
    node* const n = entries.front().second;
    entries.erase(entries.begin());
    return n;
  }
  std::optional<time_point> earliest() const {
    return entries.empty() ? std::nullopt : std::optional(entries.front().first);
  }
};

}  // namespace

TEST_CASE("an empty queue has no deadline and nobody to wake", "[deadline_queue]") {
  deadline_queue queue;
  node n;
  CHECK_FALSE(queue.earliest());
  CHECK(queue.pop_expired(time_point::max()) == nullptr);
  queue.erase(n);
  CHECK_FALSE(queue.earliest());
}

TEST_CASE("who is due first is woken first, not before its time and only once", "[deadline_queue]") {
  deadline_queue queue;
  node a, b, c;
  queue.set(a, at(2));
  queue.set(b, at(1));
  queue.set(c, at(3));
  CHECK(queue.earliest() == at(1));
  CHECK(queue.pop_expired(at(1) - 1ns) == nullptr);
  CHECK(queue.pop_expired(at(1)) == &b);
  CHECK(queue.pop_expired(at(1)) == nullptr);
  CHECK(queue.pop_expired(at(9)) == &a);
  CHECK(queue.pop_expired(at(9)) == &c);
  CHECK(queue.pop_expired(at(9)) == nullptr);
  CHECK_FALSE(queue.earliest());
}

TEST_CASE("equal deadlines keep the order they were set in", "[deadline_queue]") {
  deadline_queue queue;
  node a, b, c;
  for (auto* n : {&a, &b, &c}) queue.set(*n, at(1));
  queue.set(a, at(1));  // set anew, so behind the others
  CHECK(queue.pop_expired(at(1)) == &b);
  CHECK(queue.pop_expired(at(1)) == &c);
  CHECK(queue.pop_expired(at(1)) == &a);
}

TEST_CASE("a deadline can be moved, and moved to never", "[deadline_queue]") {
  deadline_queue queue;
  node a, b;
  queue.set(a, at(1));
  queue.set(b, at(2));
  queue.set(a, at(3));
  CHECK(queue.earliest() == at(2));
  queue.set(b, time_point::max());
  CHECK(queue.earliest() == at(3));
  CHECK(queue.pop_expired(time_point::max()) == &a);
  CHECK(queue.pop_expired(time_point::max()) == nullptr);
  queue.set(a, at(4));  // a popped node can be set again
  CHECK(queue.earliest() == at(4));
}

TEST_CASE("a node leaves the queue when it is destroyed, from any place", "[deadline_queue]") {
  for (std::size_t gone = 0; gone < 3; ++gone) {
    deadline_queue queue;
    std::vector<std::unique_ptr<node>> nodes;
    for (int i = 0; i < 3; ++i) queue.set(*nodes.emplace_back(std::make_unique<node>()), at(i));
    nodes[gone].reset();
    for (const auto& n : nodes)
      if (n) CHECK(queue.pop_expired(at(9)) == n.get());
    CHECK(queue.pop_expired(at(9)) == nullptr);
  }
}

TEST_CASE("erasing a node of another queue does nothing", "[deadline_queue]") {
  deadline_queue queue;
  deadline_queue other;
  node n;
  queue.set(n, at(1));
  other.erase(n);
  CHECK(queue.pop_expired(at(1)) == &n);
  CHECK(queue.pop_expired(at(1)) == nullptr);
}

TEST_CASE("a wait too long for the clock is for ever, one below zero is none", "[deadline_queue]") {
  const auto now = at(1000);
  CHECK(deadline_after(now, 5s) == at(1005));
  CHECK(deadline_after(now, 0s) == now);
  CHECK(deadline_after(now, -1ns) == now);
  CHECK(deadline_after(now, std::chrono::nanoseconds::min()) == now);
  CHECK(deadline_after(now, std::chrono::nanoseconds::max()) == time_point::max());
  CHECK(deadline_after(now, time_point::max() - now) == time_point::max());
  CHECK(deadline_after(now, time_point::max() - now - 1ns) == time_point::max() - 1ns);
}

TEST_CASE("random operations agree with a sorted list", "[deadline_queue]") {
  std::mt19937 engine(Catch::getSeed());
  INFO("seed " << Catch::getSeed());
  deadline_queue queue;
  model reference;
  std::vector<std::unique_ptr<node>> nodes(40);
  for (auto& n : nodes) n = std::make_unique<node>();
  for (int i = 0; i < 50000; ++i) {
    auto& n = nodes[engine() % nodes.size()];
    const int time = static_cast<int>(engine() % 50);
    const auto pick = engine() % 16;
    if (pick < 8) {
      const auto deadline = time == 0 ? time_point::max() : at(time);
      queue.set(*n, deadline);
      reference.set(*n, deadline);
    } else if (pick < 11) {
      queue.erase(*n);
      reference.erase(*n);
    } else if (pick == 11) {
      reference.erase(*n);
      n = std::make_unique<node>();
    } else {
      REQUIRE(queue.pop_expired(at(time)) == reference.pop_expired(at(time)));
    }
    REQUIRE(queue.earliest() == reference.earliest());
  }
  while (node* const expected = reference.pop_expired(at(100))) REQUIRE(queue.pop_expired(at(100)) == expected);
  CHECK(queue.pop_expired(at(100)) == nullptr);
}
