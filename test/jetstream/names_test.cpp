// SPDX-License-Identifier: Apache-2.0
#include "jetstream/names.hpp"

#include <string>

#include <compass_fabric/jetstream/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace js = compass_fabric::jetstream;

TEST_CASE("[C073] a name that could split or widen an API subject is refused with the character and its place",
          "[jetstream]") {
  CHECK(js::name_fault("a.b") == "'.' at byte 1");
  CHECK(js::name_fault("a*") == "'*' at byte 1");
  CHECK(js::name_fault(">") == "'>' at byte 0");
  CHECK(js::name_fault("a/b") == "'/' at byte 1");
  CHECK(js::name_fault("ab\\") == "'\\' at byte 2");
  CHECK(js::name_fault("a b") == "byte 0x20 at byte 1");
  CHECK(js::name_fault("a\r\nPUB x") == "byte 0x0d at byte 1");
  CHECK(js::name_fault(std::string_view("a\0b", 3)) == "byte 0x00 at byte 1");
  CHECK(js::name_fault("a\x7f") == "byte 0x7f at byte 1");
  CHECK(js::name_fault("") == "empty");
  CHECK(js::name_fault(std::string(256, 'x')) == "256 bytes, more than 255");
}

TEST_CASE("[C073] percent signs, other alphabets and 255 bytes are names like any other", "[jetstream]") {
  CHECK(js::name_fault("a%d").empty());
  CHECK(js::name_fault("\xc3\xa4").empty());
  CHECK(js::name_fault("A-Z_0-9$").empty());
  CHECK(js::name_fault(std::string(255, 'x')).empty());
}

TEST_CASE("a refused name is quoted together with what it names", "[jetstream]") {
  using Catch::Matchers::ContainsSubstring;
  CHECK_NOTHROW(js::check_name("stream", "ORDERS"));
  try {
    js::check_name("consumer", "a.b");
    FAIL("accepted");
  } catch (const compass_fabric::system_error& e) {
    CHECK(e.code() == js::errc::invalid_name);
    CHECK_THAT(e.what(), ContainsSubstring("consumer \"a.b\": '.' at byte 1"));
  }
}

TEST_CASE("a filter must be a subject filter", "[jetstream]") {
  CHECK_NOTHROW(js::check_filter("filter", "orders.*.new.>"));
  CHECK_THROWS_AS(js::check_filter("filter", "orders..new"), compass_fabric::system_error);
  CHECK_THROWS_AS(js::check_filter("filter", "or ders"), compass_fabric::system_error);
}
