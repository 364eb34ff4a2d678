// SPDX-License-Identifier: Apache-2.0
#include "proto/outbox.hpp"

#include "proto/serializer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric::proto;

namespace {

struct operation {
  std::string wire;
  bool is_publish;
};

std::string written(const flat_buffer& b) { return std::string(b.view()); }

operation publish(std::string_view subject, std::string_view reply, std::string_view payload) {
  flat_buffer b;
  append_publish(b, {subject, reply, payload});
  return {written(b), true};
}

operation publish_with_headers(std::string_view subject, std::string_view reply, std::string_view block,
                               std::string_view payload) {
  flat_buffer b;
  std::memcpy(append_publish_with_headers(b, {subject, reply, payload}, block.size()), block.data(), block.size());
  return {written(b), true};
}

operation other(std::string_view wire) { return {std::string(wire), false}; }

/// Every operation, and publishes whose parts could be taken for one.
std::vector<operation> every_operation() {
  return {
      publish("a", {}, "x"),
      other("SUB a.* 1\r\n"),
      other("SUB PUB.x HPUB 2\r\n"),
      publish("a.b", "_INBOX.r", "\r\nPUB x 3\r\nabc\r\nPING\r\n"),
      other("UNSUB 1 7\r\n"),
      other("UNSUB 1\r\n"),
      publish("PUB", "HPUB", ""),
      publish_with_headers("h", {}, "NATS/1.0\r\nA: 1\r\n\r\n", ""),
      other("PING\r\n"),
      publish_with_headers("SUB", "PING", "NATS/1.0\r\n\r\n", "\r\n12 12\r\n"),
      other("PONG\r\n"),
      publish("12", "3", "UNSUB 1\r\n"),
  };
}

bool keep_all(const buffered_publish&) { return true; }

/// The content of a box that is not partly written.
std::string drain(outbox& box) {
  std::string all;
  while (!box.empty()) {
    const auto front = box.front();
    all += front;
    box.wrote(front.size());
  }
  return all;
}

}  // namespace

TEST_CASE("what is appended is written once and in order", "[outbox]") {
  outbox box;
  CHECK(box.empty());
  CHECK(box.size() == 0);
  CHECK(box.front().empty());
  box.pending().append("one");
  CHECK(box.size() == 3);
  CHECK(box.front() == "one");
  box.pending().append("two");
  CHECK(box.front() == "one");
  CHECK(box.size() == 6);
  box.wrote(2);
  CHECK(box.front() == "e");
  CHECK(box.size() == 4);
  CHECK_FALSE(box.empty());
  box.wrote(1);
  CHECK(box.front() == "two");
  box.wrote(0);
  CHECK(box.front() == "two");
  box.wrote(3);
  CHECK(box.empty());
  CHECK(box.size() == 0);
  CHECK(box.front().empty());
}

TEST_CASE("the bytes being written stay where they are while more is appended", "[outbox]") {
  outbox box;
  box.pending().append("first");
  const auto front = box.front();
  for (int i = 0; i < 1000; ++i) box.pending().append(std::string(1000, 'x'));
  CHECK(front == "first");
  CHECK(box.front().data() == front.data());
}

TEST_CASE("a lost link keeps exactly the publishes not handed over whole, wherever the write stopped", "[outbox]") {
  const auto operations = every_operation();
  std::string wire;
  for (const auto& op : operations) wire += op.wire;
  // The first `taken` operations are being written, the others were appended meanwhile.
  for (std::size_t taken = 1; taken <= operations.size(); ++taken) {
    std::size_t sending = 0;
    for (std::size_t i = 0; i < taken; ++i) sending += operations[i].wire.size();
    for (std::size_t cut = 0; cut <= sending; ++cut) {
      outbox box;
      box.pending().append(wire.substr(0, sending));
      REQUIRE(box.front().size() == sending);
      box.pending().append(wire.substr(sending));
      box.wrote(cut / 2);
      box.wrote(cut - cut / 2);

      std::string expected;
      std::size_t count = 0;
      std::size_t end = 0;
      for (const auto& op : operations) {
        end += op.wire.size();
        if (!op.is_publish || end <= cut) continue;
        expected += op.wire;
        ++count;
      }
      INFO(taken << " operations taken, cut at " << cut);
      REQUIRE(box.keep_publishes(keep_all) == count);
      REQUIRE(box.size() == expected.size());
      REQUIRE(drain(box) == expected);
    }
  }
}

TEST_CASE("the filter sees subject, reply and size of each publish and decides", "[outbox]") {
  outbox box;
  for (const auto& op : every_operation()) box.pending().append(op.wire);
  std::string seen;
  const auto kept = box.keep_publishes([&](const buffered_publish& p) {
    seen.append(p.subject).append("|").append(p.reply).append("|").append(std::to_string(p.size)).append(";");
    return p.subject == "PUB" || p.reply == "3";
  });
  CHECK(seen == "a||1;a.b|_INBOX.r|22;PUB|HPUB|0;h||18;SUB|PING|21;12|3|9;");
  CHECK(kept == 2);
  CHECK(drain(box) == "PUB PUB HPUB 0\r\n\r\nPUB 12 3 9\r\nUNSUB 1\r\n\r\n");
}

TEST_CASE("a publish handed over whole is not shown to the filter", "[outbox]") {
  outbox box;
  box.pending().append("PUB a 1\r\nx\r\nPUB b 1\r\ny\r\n");
  box.front();
  box.wrote(12);
  std::string seen;
  box.keep_publishes([&](const buffered_publish& p) { return seen += p.subject, true; });
  CHECK(seen == "b");
}

TEST_CASE("publishes survive several lost links", "[outbox]") {
  outbox box;
  box.pending().append("PUB a 1\r\nx\r\nPUB b 1\r\ny\r\n");
  for (int i = 0; i < 3; ++i) {
    CHECK(box.front().size() == 24);
    box.wrote(11);  // never the whole first publish
    CHECK(box.keep_publishes(keep_all) == 2);
  }
  CHECK(drain(box) == "PUB a 1\r\nx\r\nPUB b 1\r\ny\r\n");
}

TEST_CASE("an empty box has nothing to keep", "[outbox]") {
  outbox box;
  CHECK(box.keep_publishes(keep_all) == 0);
  box.pending().append("PING\r\n");
  CHECK(box.keep_publishes(keep_all) == 0);
  CHECK(box.empty());
}

TEST_CASE("a burst's memory is given back, a usual block is kept", "[outbox]") {
  const auto capacity_after = [](std::size_t bytes) {
    outbox box;
    box.pending().append(std::string(bytes, 'x'));
    box.wrote(box.front().size());
    box.pending().append("y");
    box.front();  // the emptied block is now the one to append to
    return box.pending().capacity();
  };
  CHECK(capacity_after(2 * 1024 * 1024) == 2 * 1024 * 1024);
  CHECK(capacity_after(2 * 1024 * 1024 + 1) == 0);
}

TEST_CASE("behind the seal nothing is sent, and every publish waits for the next link", "[outbox]") {
  outbox box;
  box.pending().append("PUB a 1\r\n1\r\n");
  box.wrote(box.front().substr(0, 4).size());  // one is on its way
  box.pending().append("PUB b 1\r\n2\r\nPING\r\n");
  box.seal();
  box.pending().append("PUB c 1\r\n3\r\nSUB x 1\r\n");
  CHECK(box.front() == "a 1\r\n1\r\n");
  box.wrote(box.front().size());
  CHECK(box.front() == "PUB b 1\r\n2\r\nPING\r\n");
  box.wrote(box.front().size());
  CHECK(box.front().empty());
  box.pending().append("PUB d 1\r\n4\r\n");
  CHECK(box.front().empty());
  CHECK_FALSE(box.empty());
  CHECK(box.keep_publishes([](const buffered_publish&) { return true; }) == 2);
  CHECK(box.front() == "PUB c 1\r\n3\r\nPUB d 1\r\n4\r\n");
}
