// SPDX-License-Identifier: Apache-2.0
#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace compass_fabric::testing;

TEST_CASE("values are found by JSON pointer", "[support]") {
  constexpr auto json = R"({"a":{"n":5,"t":"x","b":true,"l":[1,2,3]}})";
  CHECK(json_int(json, "/a/n") == 5);
  CHECK(json_string(json, "/a/t") == "x");
  CHECK(json_bool(json, "/a/b") == true);
  CHECK(json_size(json, "/a/l") == 3);
  CHECK(json_int(json, "/a/l/2") == 3);
}

TEST_CASE("a value that is absent or of another type is nothing", "[support]") {
  CHECK(json_int(R"({"n":"5"})", "/n") == std::nullopt);
  CHECK(json_int(R"({"n":5})", "/m") == std::nullopt);
}

TEST_CASE("text that is not JSON is an error", "[support]") {
  CHECK_THROWS_AS(json_int("{", "/n"), std::runtime_error);
}
