// SPDX-License-Identifier: Apache-2.0
#include "proto/subscriptions.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

using namespace compass_fabric::proto;

namespace {

subscription_record record(std::string subject, std::string queue = {}, std::uint64_t max = 0) {
  subscription_record r;
  r.subject = std::move(subject);
  r.queue = std::move(queue);
  r.max = max;
  return r;
}

std::string replayed(subscriptions& registry) {
  flat_buffer out;
  registry.replay(out);
  return std::string(out.view());
}

}  // namespace

TEST_CASE("a subscription is found by its sid until it is removed", "[subscriptions]") {
  subscriptions registry;
  auto a = record("a");
  auto b = record("b");
  REQUIRE(registry.add(a));
  REQUIRE(registry.add(b));
  CHECK(a.sid != 0);
  CHECK(a.sid != b.sid);
  CHECK(registry.find(a.sid) == &a);
  CHECK(registry.find(b.sid) == &b);
  CHECK(registry.size() == 2);

  const auto late = a.sid;
  registry.remove(a);
  CHECK(a.sid == 0);
  CHECK(registry.find(late) == nullptr);
  CHECK(registry.size() == 1);
  registry.remove(a);
  CHECK(registry.size() == 1);
  CHECK(registry.find(0) == nullptr);
}

TEST_CASE("a sid is not used again, for the server ignores one it still knows", "[subscriptions]") {
  subscriptions registry;
  auto a = record("a");
  REQUIRE(registry.add(a));
  const auto first = a.sid;
  registry.remove(a);
  REQUIRE(registry.add(a));
  CHECK(a.sid != first);
  CHECK(registry.find(first) == nullptr);
}

TEST_CASE("a full registry refuses and gives no sid", "[subscriptions]") {
  subscriptions registry;
  auto many = record("a");
  for (std::uint64_t i = 0; i < slot_table<int>::max_objects; ++i)
    if (!registry.add(many)) FAIL("full after " << i);
  auto one_more = record("b");
  CHECK_FALSE(registry.add(one_more));
  CHECK(one_more.sid == 0);
}

TEST_CASE("a denial means the first subscription with its subject and queue", "[subscriptions]") {
  subscriptions registry;
  auto other = record("b");
  auto plain = record("a");
  auto queued = record("a", "q");
  auto twin = record("a");
  for (auto* r : {&other, &plain, &queued, &twin}) REQUIRE(registry.add(*r));
  CHECK(registry.find("a", "") == &plain);
  CHECK(registry.find("a", "q") == &queued);
  CHECK(registry.find("a", "r") == nullptr);
  CHECK(registry.find("b", "q") == nullptr);
  CHECK(registry.find("c", "") == nullptr);
  registry.remove(plain);
  CHECK(registry.find("a", "") == &twin);
}

TEST_CASE("a new link gets every subscription with what is left of its maximum", "[subscriptions]") {
  subscriptions registry;
  auto plain = record("a.>");
  auto queued = record("b", "q");
  auto limited = record("c", "", 10);
  auto gone = record("d");
  CHECK(replayed(registry).empty());
  for (auto* r : {&plain, &queued, &limited, &gone}) REQUIRE(registry.add(*r));
  registry.remove(gone);
  const auto sid = [](const subscription_record& r) { return std::to_string(r.sid); };
  const std::string head =
      "SUB a.> " + sid(plain) + "\r\nSUB b q " + sid(queued) + "\r\nSUB c " + sid(limited) + "\r\n";
  CHECK(replayed(registry) == head + "UNSUB " + sid(limited) + " 10\r\n");
  for (int i = 0; i < 3; ++i) {
    count_delivery(plain);
    count_delivery(limited);
  }
  CHECK(replayed(registry) == head + "UNSUB " + sid(limited) + " 7\r\n");
}

TEST_CASE("deliveries are counted and those beyond the maximum refused", "[subscriptions]") {
  auto limited = record("a", "", 2);
  CHECK_FALSE(is_finished(limited));
  CHECK(count_delivery(limited));
  CHECK_FALSE(is_finished(limited));
  CHECK(count_delivery(limited));
  CHECK(is_finished(limited));
  CHECK_FALSE(count_delivery(limited));
  CHECK(limited.delivered == 2);

  auto lowered = record("a");
  for (int i = 0; i < 5; ++i) CHECK(count_delivery(lowered));
  CHECK_FALSE(is_finished(lowered));
  lowered.max = 3;  // a maximum counts from the start of the subscription
  CHECK(is_finished(lowered));
  CHECK_FALSE(count_delivery(lowered));
}

TEST_CASE("each subscription is visited and may be removed by its visitor", "[subscriptions]") {
  subscriptions registry;
  auto a = record("a");
  auto b = record("b");
  REQUIRE(registry.add(a));
  REQUIRE(registry.add(b));
  std::string seen;
  registry.for_each([&](subscription_record& r) {
    seen += r.subject;
    registry.remove(r);
  });
  CHECK(seen == "ab");
  CHECK(registry.size() == 0);
}

TEST_CASE("a link's limit leaves out what came before it", "[subscriptions]") {
  subscriptions registry;
  subscription_record r;
  r.subject = "a";
  REQUIRE(registry.add(r));
  r.delivered = 5;
  flat_buffer out;
  registry.replay(out);
  CHECK(out.view() == "SUB a 1\r\n");
  r.max = 8;
  CHECK(limit_on_link(r) == 3);
  r.delivered = 7;
  CHECK(limit_on_link(r) == 3);  // the server counts as well
  r.max = 4;
  CHECK(limit_on_link(r) == 0);
}
