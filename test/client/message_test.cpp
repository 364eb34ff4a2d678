// SPDX-License-Identifier: Apache-2.0
#include "client/message_queue.hpp"

#include <compass_fabric/message.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>
#include <utility>

using namespace compass_fabric;
using namespace std::string_view_literals;

namespace {

constexpr auto block = "NATS/1.0\r\nA: 1\r\n\r\n"sv;
constexpr message_view full{"a.b", "reply", block, "\0\xff payload"sv};

message numbered(int i) {
  const std::string payload = std::to_string(i);
  return message({"s", {}, {}, payload});
}

void check_same(const message_view& a, const message_view& b) {
  CHECK(a.subject == b.subject);
  CHECK(a.reply == b.reply);
  CHECK(a.header_block == b.header_block);
  CHECK(a.payload == b.payload);
}

}  // namespace

TEST_CASE("a message keeps every part after the buffer it came from is gone", "[message]") {
  message m;
  {
    std::string subject(full.subject), reply(full.reply), header(full.header_block), payload(full.payload);
    m = message({subject, reply, header, payload});
    for (auto* part : {&subject, &reply, &header, &payload}) part->assign(part->size(), '!');
  }
  REQUIRE(m);
  check_same(m.view(), full);
  CHECK(m.subject() == full.subject);
  CHECK(m.reply() == full.reply);
  CHECK(m.payload() == full.payload);
  CHECK(m.headers().get("A") == "1");
}

TEST_CASE("the size counts all four parts", "[message]") {
  CHECK(full.size() == 3 + 5 + 18 + 10);
  CHECK(message_view{}.size() == 0);
  CHECK(message(full).view().size() == full.size());
}

TEST_CASE("any part may be empty", "[message]") {
  for (unsigned parts = 0; parts < 16; ++parts) {
    message_view v;
    if (parts & 1) v.subject = full.subject;
    if (parts & 2) v.reply = full.reply;
    if (parts & 4) v.header_block = full.header_block;
    if (parts & 8) v.payload = full.payload;
    const message m(v);
    CHECK(m);
    check_same(m.view(), v);
  }
}

TEST_CASE("a large payload is kept whole", "[message]") {
  const std::string payload(8 * 1024 * 1024 + 1, 'p');
  const message m({"s", "r", block, payload});
  CHECK(m.payload() == payload);
}

TEST_CASE("a default-constructed and a moved-from message are empty", "[message]") {
  const message none;
  CHECK_FALSE(none);
  check_same(none.view(), {});
  CHECK(none.headers().empty());
  CHECK_FALSE(none.clone());

  message from(full);
  const message to = std::move(from);
  CHECK_FALSE(from);
  check_same(from.view(), {});
  check_same(to.view(), full);
}

TEST_CASE("a moved message keeps its views", "[message]") {
  message from(full);
  const auto* const data = from.payload().data();
  const message to = std::move(from);
  CHECK(to.payload().data() == data);
}

TEST_CASE("a clone is independent", "[message]") {
  message original(full);
  const message copy = original.clone();
  CHECK(copy.payload().data() != original.payload().data());
  original = message();
  check_same(copy.view(), full);
}

TEST_CASE("a queue gives messages in the order they came", "[message]") {
  message_queue queue;
  CHECK(queue.empty());
  CHECK_FALSE(queue.pop());
  int pushed = 0;
  int popped = 0;
  // Grows, shrinks and runs empty in between.
  for (const int step : {1, -1, 3, -2, 4, -5, 2, -1, -1, 1}) {
    for (int i = 0; i < step; ++i) queue.push(numbered(pushed++));
    for (int i = 0; i > step; --i) {
      const message m = queue.pop();
      REQUIRE(m);
      CHECK(m.payload() == std::to_string(popped++));
    }
    CHECK(queue.size() == static_cast<std::size_t>(pushed - popped));
    CHECK(queue.empty() == (pushed == popped));
  }
  CHECK(queue.pop().payload() == std::to_string(popped));
  CHECK_FALSE(queue.pop());
}

TEST_CASE("a queue counts the bytes of all parts", "[message]") {
  message_queue queue;
  CHECK(queue.bytes() == 0);
  queue.push(message(full));
  CHECK(queue.bytes() == full.size());
  queue.push(numbered(12));
  CHECK(queue.bytes() == full.size() + 3);
  queue.pop();
  CHECK(queue.bytes() == 3);
  queue.pop();
  CHECK(queue.bytes() == 0);
}

TEST_CASE("a cleared queue is empty and usable", "[message]") {
  message_queue queue;
  queue.clear();
  for (int i = 0; i < 3; ++i) queue.push(numbered(i));
  queue.clear();
  CHECK(queue.empty());
  CHECK(queue.size() == 0);
  CHECK(queue.bytes() == 0);
  queue.push(numbered(7));
  CHECK(queue.pop().payload() == "7");
}

TEST_CASE("a queue that goes with messages in it frees them", "[message]") {
  message_queue queue;  // the leak checker sees what is lost
  for (int i = 0; i < 3; ++i) queue.push(numbered(i));
  CHECK(queue.size() == 3);
}

TEST_CASE("a popped message can be queued again", "[message]") {
  message_queue queue;
  queue.push(numbered(1));
  queue.push(numbered(2));
  queue.push(queue.pop());
  CHECK(queue.pop().payload() == "2");
  CHECK(queue.pop().payload() == "1");
  CHECK(queue.empty());
}
