// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <compass_fabric/jetstream/error.hpp>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;

TEST_CASE("every condition has a text and its category a name", "[jetstream]") {
  CHECK(std::string(js::jetstream_category().name()) == "compass_fabric.jetstream");
  for (int value = 1; value <= static_cast<int>(js::errc::not_a_jetstream_message); ++value) {
    const auto code = js::make_error_code(static_cast<js::errc>(value));
    CHECK(code.message() != "unknown error");
    CHECK(code.message() == js::to_string(static_cast<js::errc>(value)));
  }
  CHECK(std::string(js::to_string(static_cast<js::errc>(0))) == "unknown error");
}

TEST_CASE("the server's numbers stand for conditions, unknown ones for a refusal", "[jetstream]") {
  const auto condition = [](int err_code) { return js::api_error(400, err_code, "text", "where").code(); };
  CHECK(condition(js::code::stream_not_found) == js::errc::stream_not_found);
  CHECK(condition(js::code::consumer_not_found) == js::errc::consumer_not_found);
  CHECK(condition(js::code::consumer_does_not_exist) == js::errc::consumer_not_found);
  CHECK(condition(js::code::message_not_found) == js::errc::message_not_found);
  CHECK(condition(js::code::stream_name_in_use) == js::errc::config_mismatch);
  CHECK(condition(js::code::consumer_exists) == js::errc::config_mismatch);
  CHECK(condition(js::code::wrong_last_sequence) == js::errc::wrong_last_sequence);
  CHECK(condition(js::code::wrong_last_sequence_concurrent) == js::errc::wrong_last_sequence);
  CHECK(condition(js::code::store_failed) == js::errc::stream_full);
  CHECK(condition(js::code::system_unavailable) == js::errc::unavailable);
  CHECK(condition(js::code::not_enabled_for_account) == js::errc::unavailable);
  CHECK(condition(js::code::storage_exceeded) == js::errc::insufficient_resources);
  CHECK(condition(js::code::bad_request) == js::errc::refused);
  CHECK(condition(0) == js::errc::refused);
}
