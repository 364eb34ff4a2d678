// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/subject_literal.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>

#include "proto/subject.hpp"

using namespace compass_fabric;
using namespace compass_fabric::literals;

static_assert("greet.ann"_subject == "greet.ann");
static_assert("greet.*.>"_filter == "greet.*.>");
static_assert(!detail::valid_subject("greet..ann", true));
static_assert(!detail::valid_subject("greet.ann\r\nPUB x", true));

TEST_CASE("the compiler judges a literal subject as the connection judges a text", "[client][row198]") {
  const std::string alphabet = std::string("ab.*> \t\r\x7f\x80", 10) + '\0';
  std::string text;
  // Every text of up to four bytes of the alphabet.
  for (std::size_t number = 0, count = 11 * 11 * 11 * 11; number != count; ++number) {
    text.clear();
    for (std::size_t rest = number; rest != 0; rest /= alphabet.size()) text += alphabet[rest % alphabet.size()];
    REQUIRE(detail::valid_subject(text, false) == proto::valid_publish_subject(text));
    REQUIRE(detail::valid_subject(text, true) == proto::valid_filter(text));
  }
  const std::string longest(proto::max_subject_size, 'x');
  CHECK(detail::valid_subject(longest, false));
  CHECK_FALSE(detail::valid_subject(longest + "x", false));
}
