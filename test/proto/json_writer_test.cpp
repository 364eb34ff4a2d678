// SPDX-License-Identifier: Apache-2.0
#include "proto/json_writer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using namespace compass_fabric::proto;
using namespace std::string_view_literals;

namespace {

std::string text(std::string_view value) {
  std::string out;
  json_writer(out).value(value);
  return out;
}

}  // namespace

TEST_CASE("commas stand between values and nowhere else", "[json_writer]") {
  std::string out = "{} ";
  json_writer json(out);
  json.begin_object();
  json.key("empty");
  json.begin_array();
  json.end_array();
  json.key("list");
  json.begin_array();
  json.value(1);
  json.begin_object();
  json.end_object();
  json.begin_array();
  json.value(true);
  json.value("x");
  json.null();
  json.end_array();
  json.raw(R"({"raw":1})");
  json.end_array();
  json.member("last", false);
  json.end_object();
  CHECK(out == R"({} {"empty":[],"list":[1,{},[true,"x",null],{"raw":1}],"last":false})");
}

TEST_CASE("numbers of every width are written whole", "[json_writer]") {
  std::string out;
  json_writer json(out);
  json.begin_array();
  json.value(std::numeric_limits<std::int64_t>::min());
  json.value(std::numeric_limits<std::uint64_t>::max());
  json.value(std::int8_t{-1});
  json.value(std::uint16_t{65535});
  json.value(0.1);
  json.value(std::numeric_limits<double>::infinity());
  json.end_array();
  CHECK(out == "[-9223372036854775808,18446744073709551615,-1,65535,0.1,null]");
}

TEST_CASE("text is escaped where JSON demands it", "[json_writer]") {
  CHECK(text("") == R"("")");
  CHECK(text("a\"b\\c/") == R"("a\"b\\c/")");
  CHECK(text("\n\r\t\b\x1f\x7f"sv) == R"("\n\r\t\u0008\u001f\u007f")");
  CHECK(text("\0"sv) == R"("\u0000")");
  std::string out;
  json_writer(out).member("k\"", std::string("v"));
  CHECK(out == R"("k\"":"v")");
}

TEST_CASE("C035 valid UTF-8 passes and every invalid byte is replaced", "[json_writer]") {
  CHECK(text("\xc3\xbc\xe6\xbc\xa2\xf0\x9f\x98\x80") == "\"\xc3\xbc\xe6\xbc\xa2\xf0\x9f\x98\x80\"");
  CHECK(text("a\xff!") == "\"a\xef\xbf\xbd!\"");
  const auto bad = "\xef\xbf\xbd"sv;
  struct {
    std::string_view bytes;
    int replaced;
  } constexpr table[] = {
      {"\x80", 1},
      {"\xc3", 1},
      {"\xc0\xaf", 2},
      {"\xe0\x80\x80", 3},
      {"\xed\xa0\x80", 3},
      {"\xf4\x90\x80\x80", 4},
      {"\xf5\x80\x80\x80", 4},
      {"\xf0\x9f\x98", 3},
      {"\xf0\x8f\xbf\xbf", 4},
  };
  for (const auto& row : table) {
    std::string expected = "\"";
    for (int i = 0; i < row.replaced; ++i) expected += bad;
    CHECK(text(row.bytes) == expected + "\"");
  }
}
