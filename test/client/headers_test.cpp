// SPDX-License-Identifier: Apache-2.0
#include "proto/header_block.hpp"

#include <compass_fabric/error.hpp>
#include <compass_fabric/headers.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric;
using namespace std::string_view_literals;

namespace {

std::string encode(const headers& fields) {
  const std::vector<headers::field> list(fields.begin(), fields.end());
  std::string block;
  proto::append_header_block(block, list);
  return block;
}

error_code error_of_add(std::string_view name, std::string_view value) {
  headers fields;
  try {
    fields.add(name, value);
  } catch (const system_error& e) {
    CHECK(fields.empty());
    return e.code();
  }
  return {};
}

}  // namespace

TEST_CASE("headers keep order and every value of a name", "[headers]") {
  headers fields;
  fields.add("A", "1").add("B", "2").add("A", "3").add("a", "4");
  CHECK(fields.size() == 4);
  CHECK(fields.get("A") == "1");
  CHECK(fields.get_all("A") == std::vector<std::string_view>{"1", "3"});
  CHECK(fields.get("a") == "4");
  CHECK_FALSE(fields.get("b"));
  CHECK(fields.get_ignore_case("b") == "2");
  CHECK(fields.get_all("none").empty());
}

TEST_CASE("set leaves one value at the first place, erase removes all values", "[headers]") {
  headers fields;
  fields.add("A", "1").add("B", "2").add("A", "3");
  fields.set("A", " 9 ").set("C", "4");
  headers expected;
  expected.add("A", "9").add("B", "2").add("C", "4");
  CHECK(fields == expected);
  CHECK(fields.erase("A") == 1);
  CHECK(fields.erase("A") == 0);
  CHECK(fields.begin()->first == "B");
  fields.clear();
  CHECK(fields.empty());
}

TEST_CASE("set may be given a view of a value it replaces", "[headers]") {
  headers fields;
  fields.add("A", std::string(100, 'x')).add("A", std::string(100, 'y'));
  fields.set("A", *fields.get("A"));
  CHECK(fields.size() == 1);
  CHECK(fields.get("A") == std::string(100, 'x'));
}

TEST_CASE("erase may be given a view of a name it removes", "[headers]") {
  headers fields;
  const std::string name(100, 'n');
  fields.add(name, "1").add("B", "2").add(name, "3");
  CHECK(fields.erase(fields.begin()->first) == 2);
  CHECK(fields.size() == 1);
}

TEST_CASE("two iterators at equal fields in different places differ", "[headers]") {
  const headers_view view("NATS/1.0\r\nA: 1\r\nA: 1\r\n\r\n");
  auto second = view.begin();
  CHECK(second++ == view.begin());
  CHECK_FALSE(second == view.begin());
  CHECK(*second == *view.begin());
  CHECK(++second == view.end());
}

TEST_CASE("a refused field throws invalid_header and changes nothing", "[headers]") {
  headers fields;
  fields.add("A", "1").add("A", "2");
  const auto before = fields;
  CHECK_THROWS_AS(fields.set("A", "x\r\nB: y"), system_error);
  CHECK_THROWS_AS(fields.add("A", "x\n"), system_error);
  CHECK(fields == before);
  CHECK(error_of_add("a b", "v") == errc::invalid_header);
  try {
    fields.add("", "v");
    FAIL("an empty name was stored");
  } catch (const system_error& e) {
    CHECK(std::string_view(e.what()).starts_with("empty header name: invalid header"));
  }
}

TEST_CASE("headers copied from a view hold its well-formed fields only", "[headers]") {
  const headers_view view("NATS/1.0 503 x\r\nA: 1\r\nbad line\r\nA: 2\nX: 3\r\nB: 4\r\n\r\n");
  CHECK(view.malformed());
  CHECK(view.status() == 503);
  CHECK(view.description() == "x");
  headers expected;
  expected.add("A", "1").add("B", "4");
  CHECK(headers(view) == expected);
}

TEST_CASE("a view iterates, looks up and tells when it is empty", "[headers]") {
  const headers_view view("NATS/1.0\r\nA: 1\r\nb: 2\r\nA: 3\r\n\r\n");
  std::string seen;
  for (const auto& [name, value] : view) seen.append(name).append("=").append(value).append(";");
  CHECK(seen == "A=1;b=2;A=3;");
  CHECK(view.get("A") == "1");
  CHECK_FALSE(view.get("B"));
  CHECK(view.get_ignore_case("B") == "2");
  CHECK(view.get_all("A") == std::vector<std::string_view>{"1", "3"});
  CHECK_FALSE(view.empty());
  CHECK(headers_view().empty());
  CHECK_FALSE(headers_view().malformed());
  CHECK(headers_view("NATS/1.0 503\r\n\r\n").empty());
}

TEST_CASE("C033 legal header names and values come back identical and in order", "[headers]") {
  headers fields;
  fields.add("empty", "")
      .add("blank", "  ")
      .add("outer", " a ")
      .add("colon", "a:b")
      .add("bytes", "\x80\xff\x01\t\x7f!");
  fields.add("big", std::string(60 * 1024, 'v'));
  fields.add("x-trace", "1").add("X-Trace", "2").add("X-TRACE", "3").add("same", "1").add("same", "2").add("same", "3");
  for (int i = 0; i < 500; ++i) fields.add("n" + std::to_string(i), std::to_string(i));

  const auto block = encode(fields);
  const headers_view view(block);
  CHECK_FALSE(view.malformed());
  CHECK(headers(view) == fields);
  CHECK(view.get("blank") == "");
  CHECK(view.get("outer") == "a");
  CHECK(view.get("bytes") == "\x80\xff\x01\t\x7f!");
  CHECK(view.get("X-Trace") == "2");
  CHECK(view.get_ignore_case("X-Trace") == "1");
  CHECK(view.get_all("same") == std::vector<std::string_view>{"1", "2", "3"});
  CHECK(encode(headers(view)) == block);
}

TEST_CASE("C033 bad keys and CR, LF or NUL in a value are refused locally", "[headers]") {
  for (const auto name : {""sv, " "sv, "a b"sv, "a:"sv, "a\r"sv, "a\n"sv, "a\0"sv}) {
    CHECK(error_of_add(name, "v") == errc::invalid_header);
  }
  for (const auto value : {"\r"sv, "a\nb"sv, "a\0"sv, "x\r\nInjected: 1"sv}) {
    CHECK(error_of_add("name", value) == errc::invalid_header);
  }
}
