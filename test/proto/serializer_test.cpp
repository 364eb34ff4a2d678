// SPDX-License-Identifier: Apache-2.0
#include "proto/serializer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <string_view>

using namespace compass_fabric::proto;
using namespace std::string_view_literals;

namespace {

constexpr auto largest = std::numeric_limits<std::uint64_t>::max();

std::string publish(const publish_command& command) {
  flat_buffer out;
  append_publish(out, command);
  return std::string(out.view());
}

std::string publish_with_headers(const publish_command& command, std::string_view block) {
  flat_buffer out;
  std::memcpy(append_publish_with_headers(out, command, block.size()), block.data(), block.size());
  return std::string(out.view());
}

}  // namespace

TEST_CASE("a publish names subject, reply if any, and size", "[serializer]") {
  CHECK(publish({"a.b", {}, "xyz"}) == "PUB a.b 3\r\nxyz\r\n");
  CHECK(publish({"a.b", "_INBOX.r", "xyz"}) == "PUB a.b _INBOX.r 3\r\nxyz\r\n");
  CHECK(publish({"a", {}, "\r\n\0PUB"sv}) == "PUB a 6\r\n\r\n\0PUB\r\n"sv);
}

TEST_CASE("an empty payload is written, also one that points nowhere", "[serializer]") {
  CHECK(publish({"a", {}, ""}) == "PUB a 0\r\n\r\n");
  CHECK(publish({"a", {}, {}}) == "PUB a 0\r\n\r\n");
  CHECK(publish_with_headers({"a", {}, {}}, "H\r\n\r\n") == "HPUB a 5 5\r\nH\r\n\r\n\r\n");
}

TEST_CASE("a publish with headers counts the block and the whole", "[serializer]") {
  CHECK(publish_with_headers({"a.b", {}, "xyz"}, "NATS/1.0\r\n\r\n") == "HPUB a.b 12 15\r\nNATS/1.0\r\n\r\nxyz\r\n");
  CHECK(publish_with_headers({"a.b", "r", "xyz"}, "NATS/1.0\r\n\r\n") == "HPUB a.b r 12 15\r\nNATS/1.0\r\n\r\nxyz\r\n");
}

TEST_CASE("a subscribe names its queue only if it has one", "[serializer]") {
  flat_buffer out;
  append_subscribe(out, "a.>", {}, 1);
  append_subscribe(out, "a.*", "q", largest);
  CHECK(out.view() == "SUB a.> 1\r\nSUB a.* q 18446744073709551615\r\n");
}

TEST_CASE("an unsubscribe names its maximum only if it has one", "[serializer]") {
  flat_buffer out;
  append_unsubscribe(out, 1, 0);
  append_unsubscribe(out, 2, 1);
  append_unsubscribe(out, largest, largest);
  CHECK(out.view() == "UNSUB 1\r\nUNSUB 2 1\r\nUNSUB 18446744073709551615 18446744073709551615\r\n");
}

TEST_CASE("operations stand behind each other", "[serializer]") {
  flat_buffer out;
  append_ping(out);
  append_publish(out, {"a", {}, "x"});
  append_pong(out);
  CHECK(out.view() == "PING\r\nPUB a 1\r\nx\r\nPONG\r\n");
}

TEST_CASE("subjects and payloads of every short length are written whole", "[serializer]") {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJ";
  for (std::size_t size = 0; size <= 40; ++size) {
    const std::string subject = letters.substr(0, size + 1);
    const std::string payload = letters.substr(5, size);
    CHECK(publish({subject, {}, payload}) == "PUB " + subject + ' ' + std::to_string(size) + "\r\n" + payload + "\r\n");
  }
}

TEST_CASE("long subjects and payloads are written whole", "[serializer]") {
  const std::string subject(5000, 's');
  const std::string reply(5000, 'r');
  const std::string payload(1 << 20, 'p');
  CHECK(publish({subject, reply, payload}) == "PUB " + subject + ' ' + reply + " 1048576\r\n" + payload + "\r\n");
  const std::string block(70000, 'h');
  CHECK(publish_with_headers({subject, reply, payload}, block) ==
        "HPUB " + subject + ' ' + reply + " 70000 1118576\r\n" + block + payload + "\r\n");
}
