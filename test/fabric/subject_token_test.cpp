// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/fabric/subject_token.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <random>
#include <string>

using namespace compass_fabric::fabric;
using namespace std::string_literals;

static_assert(valid_subject_token("tenant-a") && valid_subject_token("a_b") && valid_subject_token("\xc3\xa4"));
static_assert(!valid_subject_token("") && !valid_subject_token("a.b") && !valid_subject_token("*"));

TEST_CASE("[000-36] a token with a separator, a wildcard, white space or a control byte is refused", "[fabric]") {
  struct row {
    std::string token;
    token_rule rule;
    std::size_t offset;
  };
  const row bad[] = {
      {"", token_rule::empty, 0},
      {"a.b", token_rule::separator, 1},
      {".", token_rule::separator, 0},
      {"a.", token_rule::separator, 1},
      {"*", token_rule::wildcard, 0},
      {"a*", token_rule::wildcard, 1},
      {">", token_rule::wildcard, 0},
      {"a>b", token_rule::wildcard, 1},
      {"a b", token_rule::white_space, 1},
      {"\t", token_rule::white_space, 0},
      {"a\r\nPUB x", token_rule::white_space, 1},
      {"a\v", token_rule::white_space, 1},
      {"a\f", token_rule::white_space, 1},
      {"a\0b"s, token_rule::control_byte, 1},
      {"\x01", token_rule::control_byte, 0},
      {"a\x1f", token_rule::control_byte, 1},
      {"ab\x7f", token_rule::control_byte, 2},
  };
  for (const auto& [token, rule, offset] : bad) {
    CAPTURE(token);
    const auto violation = find_violation(token);
    REQUIRE(violation);
    CHECK(violation->rule == rule);
    CHECK(violation->offset == offset);
  }
}

TEST_CASE("[000-36] exactly the documented bytes are refused, wherever they stand", "[fabric]") {
  for (int value = 0; value != 256; ++value) {
    const char byte = static_cast<char>(value);
    const bool forbidden = value <= 0x20 || value == 0x7f || byte == '.' || byte == '*' || byte == '>';
    CAPTURE(value);
    CHECK(valid_subject_token(std::string{byte}) == !forbidden);
    CHECK(valid_subject_token(std::string{'a', byte, 'z'}) == !forbidden);
  }
}

TEST_CASE("[000-36] the error names the field and the rule and repeats no byte of the token", "[fabric]") {
  CHECK(check_subject_token("tenant", "a.b")->text == "tenant: '.' at byte 1 is not allowed in a subject token");
  CHECK(check_subject_token("tenant", "*")->text == "tenant: wildcard '*' at byte 0 is not allowed in a subject token");
  CHECK(check_subject_token("runner_id", "")->text == "runner_id: a subject token must not be empty");
  CHECK(check_subject_token("tenant", "a b")->text ==
        "tenant: white space at byte 1 is not allowed in a subject token");
  const auto injected = check_subject_token("tenant", "a\r\nPUB x");
  CHECK(injected->text.find_first_of("\r\n") == std::string::npos);
  CHECK(injected->code == errc::invalid_token);
  CHECK(!check_subject_token("tenant", "a"));
}

TEST_CASE("[000-37][000-38] an accepted token stands byte for byte in the subject and parses back", "[fabric]") {
  std::mt19937 random(20251130);
  std::uniform_int_distribution<int> any_byte(0, 255), length(1, 40);
  for (int round = 0; round != 5000; ++round) {
    std::string token(static_cast<std::size_t>(length(random)), '\0');
    for (char& c : token) c = static_cast<char>(any_byte(random));
    std::erase_if(token, [](char c) { return !valid_subject_token(std::string_view(&c, 1)); });
    if (token.empty()) continue;
    const routing_binding_subject subject(token);
    CHECK(subject.str() == "compass.routing.binding." + token);
    const auto parsed = routing_binding_subject::parse(subject.str());
    REQUIRE(parsed);
    CHECK(parsed->tenant() == token);
  }
}
