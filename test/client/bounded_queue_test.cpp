// SPDX-License-Identifier: Apache-2.0
#include "client/bounded_queue.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric;
using client::bounded_queue;

namespace {

message_view view_of(std::string_view payload) { return {"s", "", "", payload}; }

subscribe_options limited(limit_policy policy, std::size_t messages, std::size_t bytes) {
  subscribe_options o;
  o.at_limit = policy;
  o.pending_messages_limit = messages;
  o.pending_bytes_limit = bytes;
  return o;
}

}  // namespace

TEST_CASE("drop_newest refuses the message that does not fit", "[client][row70]") {
  bounded_queue q(limited(limit_policy::drop_newest, 2, 0));
  CHECK(q.push(view_of("a")) == 0);
  CHECK(q.push(view_of("b")) == 0);
  CHECK(q.push(view_of("c")) == 1);
  CHECK_FALSE(q.wants_stop());
  CHECK(q.pop().payload() == "a");
  CHECK(q.pop().payload() == "b");
  CHECK(q.dropped() == 1);
  CHECK(q.passed() == 2);
}

TEST_CASE("drop_oldest makes room by bytes, and one large message always fits", "[client][row72]") {
  bounded_queue q(limited(limit_policy::drop_oldest, 0, 8));  // each message is one byte longer than its payload
  CHECK(q.push(view_of("aaa")) == 0);
  CHECK(q.push(view_of("bbb")) == 0);
  CHECK(q.push(view_of("ccccc")) == 2);
  CHECK(q.push(view_of(std::string(100, 'd'))) == 1);
  CHECK(q.size() == 1);
  CHECK(q.dropped() == 3);
  CHECK(q.passed() == 3);
}

TEST_CASE("stop_reading asks for silence at its limit and for more when half empty", "[client][row73]") {
  bounded_queue q(limited(limit_policy::stop_reading, 4, 0));
  for (int i = 0; i < 3; ++i) CHECK(q.push(view_of("x")) == 0);
  CHECK_FALSE(q.wants_stop());
  CHECK(q.push(view_of("x")) == 0);
  CHECK(q.wants_stop());
  CHECK(q.push(view_of("x")) == 0);  // what had been on its way is kept all the same
  CHECK(q.dropped() == 0);
  while (q.size() > 3) q.pop();
  CHECK_FALSE(q.has_room());
  q.pop();
  CHECK(q.has_room());
}

TEST_CASE("the byte limit stops reading too", "[client][row73]") {
  bounded_queue q(limited(limit_policy::stop_reading, 0, 10));
  q.push(view_of("12345678"));
  CHECK_FALSE(q.wants_stop());
  q.push(view_of(""));
  CHECK(q.wants_stop());
}

TEST_CASE("high-water marks stay, discarded messages are not dropped ones", "[client][row74]") {
  bounded_queue q(limited(limit_policy::drop_newest, 0, 0));
  for (int i = 0; i < 5; ++i) q.push(view_of("1"));
  q.pop();
  q.clear();
  CHECK(q.empty());
  CHECK(q.most_messages() == 5);
  CHECK(q.most_bytes() == 10);
  CHECK(q.discarded() == 4);
  CHECK(q.dropped() == 0);
  CHECK(q.passed() == 5);
}
