// SPDX-License-Identifier: Apache-2.0
#include "proto/request_table.hpp"

#include "proto/subject.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <unordered_set>

using namespace compass_fabric::proto;

TEST_CASE("a reply finds its request by the last token", "[request_table]") {
  request_table<int> table("_INBOX.abc");
  int a = 0;
  int b = 0;
  const auto token_a = table.open(&a);
  const auto token_b = table.open(&b);
  const std::string reply_a(table.reply_subject(token_a));
  const std::string reply_b(table.reply_subject(token_b));
  CHECK(reply_a.starts_with("_INBOX.abc."));
  CHECK(valid_publish_subject(reply_a));
  CHECK(table.filter() == "_INBOX.abc.*");
  CHECK(matches(table.filter(), reply_a));
  CHECK(table.resolve(reply_a) == &a);
  CHECK(table.resolve(reply_b) == &b);
  CHECK(table.size() == 2);
}

TEST_CASE("C045 a late or second reply finds nobody, also when its place was taken over", "[request_table]") {
  request_table<int> table("_INBOX.abc");
  int first = 0;
  int second = 0;
  const auto token = table.open(&first);
  const std::string reply(table.reply_subject(token));
  table.close(token);
  CHECK(table.resolve(reply) == nullptr);
  const auto next = table.open(&second);
  CHECK(next != token);
  CHECK(table.resolve(reply) == nullptr);
  table.close(token);  // closing twice must not close the successor
  CHECK(table.resolve(table.reply_subject(next)) == &second);
  CHECK(table.size() == 1);
}

TEST_CASE("C045 a hundred thousand reply subjects are all different", "[request_table]") {
  request_table<int> table("_INBOX.abc");
  int request = 0;
  std::unordered_set<std::string> seen;
  for (int i = 0; i < 100000; ++i) {
    const auto token = table.open(&request);
    seen.emplace(table.reply_subject(token));
    table.close(token);
  }
  CHECK(seen.size() == 100000);
}

TEST_CASE("garbage behind or instead of the inbox finds nobody", "[request_table]") {
  request_table<int> table("_INBOX.abc");
  int request = 0;
  const auto token = table.open(&request);
  const auto digits = std::to_string(token);
  REQUIRE(table.resolve("_INBOX.abc." + digits) == &request);
  for (const std::string tail : {"", "x", "-1", "+1", "0", ".", "*", "18446744073709551615", "18446744073709551616",
                                 "99999999999999999999999999"}) {
    INFO(tail);
    CHECK(table.resolve("_INBOX.abc." + tail) == nullptr);
  }
  for (const std::string& subject : {digits + "x", "x" + digits, "+" + digits, "-" + digits, " " + digits, digits + ".",
                                     digits + " ", digits + ".1", "0x" + digits}) {
    INFO(subject);
    CHECK(table.resolve("_INBOX.abc." + subject) == nullptr);
  }
  for (const std::string subject : {"", "_INBOX.abc", "_INBOX.abcd.", "_INBOX.ab.", "_inbox.abc.", "x_INBOX.abc."}) {
    INFO(subject);
    CHECK(table.resolve(subject + digits) == nullptr);
  }
}

TEST_CASE("a table owns the replies below its inbox and no others", "[request_table]") {
  const request_table<int> table("_INBOX.abc");
  CHECK(table.owns("_INBOX.abc.1"));
  CHECK_FALSE(table.owns("_INBOX.abc"));
  CHECK_FALSE(table.owns("_INBOX.abcd.1"));
  CHECK_FALSE(table.owns(""));
}

TEST_CASE("each waiting request is visited", "[request_table]") {
  request_table<int> table("_INBOX.abc");
  int a = 1;
  int b = 2;
  int c = 4;
  table.open(&a);
  table.close(table.open(&b));
  table.open(&c);
  int sum = 0;
  table.for_each([&](int& request) { sum += request; });
  CHECK(sum == 5);
}

TEST_CASE("an inbox of its own is known by its token and not matched by the filter", "[request_table]") {
  request_table<int> table("_INBOX.abc");
  int request = 0;
  const auto token = table.open(&request);
  const std::string own = table.own_inbox(token);
  CHECK(own == std::string(table.reply_subject(token)) + ".own");
  CHECK(table.owns(own));
  CHECK(table.resolve(own) == &request);
  CHECK(table.resolve(own + ".own") == nullptr);
  CHECK(table.resolve("_INBOX.abc..own") == nullptr);
  table.close(token);
  CHECK(table.resolve(own) == nullptr);
}
