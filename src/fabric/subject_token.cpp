// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/subject_token.hpp>

#include <string>

namespace compass_fabric::fabric {
namespace {

std::string describe(std::string_view token, const token_violation& violation) {
  const auto at = " at byte " + std::to_string(violation.offset) + " is not allowed in a subject token";
  switch (violation.rule) {
    case token_rule::empty: return "a subject token must not be empty";
    case token_rule::separator: return "'.'" + at;
    case token_rule::wildcard: return std::string("wildcard '") + token[violation.offset] + "'" + at;
    case token_rule::white_space: return "white space" + at;
    case token_rule::control_byte: return "a control byte" + at;
  }
  return {};
}

}  // namespace

std::optional<fault> check_subject_token(std::string_view field, std::string_view token) {
  const auto violation = find_violation(token);
  if (!violation) return std::nullopt;
  return fault{errc::invalid_token, std::string(field) + ": " + describe(token, *violation)};
}

}  // namespace compass_fabric::fabric
