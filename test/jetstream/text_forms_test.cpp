// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>

#include "jetstream/base64.hpp"
#include "jetstream/time_text.hpp"

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using namespace std::chrono_literals;

namespace {

js::timestamp at(std::int64_t seconds, std::chrono::nanoseconds fraction = 0ns) {
  return js::timestamp(std::chrono::seconds(seconds) + fraction);
}

}  // namespace

TEST_CASE("a time is read with any number of fraction digits and any zone", "[jetstream]") {
  CHECK(js::parse_time("2025-03-04T05:06:07Z").time == at(1741064767));
  CHECK(js::parse_time("2025-03-04T05:06:07.5Z").time == at(1741064767, 500ms));
  CHECK(js::parse_time("2025-03-04T05:06:07.123456789Z").time == at(1741064767, 123456789ns));
  CHECK(js::parse_time("2025-03-04T07:36:07+02:30").time == at(1741064767));
  CHECK(js::parse_time("2025-03-04T03:06:07-02:00").time == at(1741064767));
  CHECK(js::parse_time("2025-03-04t05:06:07z").time == at(1741064767));
  CHECK(js::parse_time("1969-12-31T23:59:59.25Z").time == at(-1, 250ms));
}

TEST_CASE("the year 1 and times beyond the clock mean that there is no time", "[jetstream]") {
  for (const auto* text :
       {"0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1677-01-01T00:00:00Z", "2262-12-31T00:00:00Z"}) {
    INFO(text);
    CHECK(js::parse_time(text).valid);
    CHECK_FALSE(js::parse_time(text).time);
  }
}

TEST_CASE("what is not a time is told apart from no time", "[jetstream]") {
  for (const auto* text :
       {"", "now", "2025-03-04", "2025-03-04T05:06:07", "2025-13-04T05:06:07Z", "2025-02-30T05:06:07Z",
        "2025-03-04T24:06:07Z", "2025-03-04T05:60:07Z", "2025-03-04T05:06:61Z", "2025-03-04T05:06:07.Z",
        "2025-03-04T05:06:07Zx", "2025-03-04T05:06:07.1234567890Z", "2025/03-04T05:06:07Z", "-025-03-04T05:06:07Z",
        "2025-03-04T05:06:07+0230", "2025-03-04 05:06:07Z", "2025-3-04T05:06:07Z"}) {
    INFO(text);
    CHECK_FALSE(js::parse_time(text).valid);
  }
}

TEST_CASE("a time is written as it is read", "[jetstream]") {
  for (const std::string text : {"2025-03-04T05:06:07Z", "2025-03-04T05:06:07.5Z", "1969-12-31T23:59:59.000000001Z",
                                 "2025-12-31T23:59:59.123456789Z"}) {
    CHECK(js::format_time(*js::parse_time(text).time) == text);
  }
}

TEST_CASE("base64 gives back every byte, and refuses what it is not", "[jetstream]") {
  CHECK(js::decode_base64("") == "");
  CHECK(js::decode_base64("Zg==") == "f");
  CHECK(js::decode_base64("Zm8=") == "fo");
  CHECK(js::decode_base64("Zm9v") == "foo");
  CHECK(js::decode_base64("Zm9vYg==") == "foob");
  CHECK(js::decode_base64("+/8A") == std::string("\xfb\xff\0", 3));
  for (const auto* text : {"Z", "Zg", "Zg=", "====", "Zm9v!m9v", "Zg==Zg==", "Z\n=="}) {
    INFO(text);
    CHECK_FALSE(js::decode_base64(text));
  }
}
