// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/error.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string_view>

using namespace compass_fabric;

TEST_CASE("an errc becomes an error code of the library's category with its text", "[error]") {
  const error_code code = errc::no_responders;
  CHECK(code == errc::no_responders);
  CHECK(code != errc::timeout);
  CHECK(code.category() == nats_category());
  CHECK(std::string_view(code.category().name()) == "compass_fabric.nats");
  CHECK(code.message() == "no responders");
  CHECK(nats_category().message(9999) == "unknown error");
}

TEST_CASE("throw_error carries the code and starts its text with the place", "[error]") {
  try {
    throw_error(errc::invalid_subject, "foo..bar");
  } catch (const system_error& e) {
    CHECK(e.code() == errc::invalid_subject);
    CHECK(std::string_view(e.what()).starts_with("foo..bar: invalid subject"));
  }
}
