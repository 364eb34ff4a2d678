// SPDX-License-Identifier: Apache-2.0
// The subject token rule: what a tenant, runner id or session id may look like. Ids are opaque; one that could change
// the meaning of a subject is refused, never rewritten.
//
//   static_assert(valid_subject_token("tenant-a"));
//   static_assert(!valid_subject_token("a.b"));
#pragma once

#include <compass_fabric/fabric/error.hpp>

#include <cstddef>
#include <optional>
#include <string_view>

namespace compass_fabric::fabric {

/// The part of the rule a token breaks.
enum class token_rule { empty, separator, wildcard, white_space, control_byte };

/// Where a token breaks the rule, and which part of it.
struct token_violation {
  token_rule rule;
  std::size_t offset;
};

/// The first violation in `token`, or nothing. Allowed is any non-empty run of bytes without `.`, `*`, `>`, ASCII white
/// space and control bytes (NUL and DEL included); bytes above 0x7f are opaque, so UTF-8 passes.
constexpr std::optional<token_violation> find_violation(std::string_view token) noexcept {
  if (token.empty()) return token_violation{token_rule::empty, 0};
  for (std::size_t i = 0; i != token.size(); ++i) {
    const auto byte = static_cast<unsigned char>(token[i]);
    if (byte == '.') return token_violation{token_rule::separator, i};
    if (byte == '*' || byte == '>') return token_violation{token_rule::wildcard, i};
    if (byte == ' ' || (byte >= '\t' && byte <= '\r')) return token_violation{token_rule::white_space, i};
    if (byte < 0x20 || byte == 0x7f) return token_violation{token_rule::control_byte, i};
  }
  return std::nullopt;
}

/// True when `token` can stand as one token of a subject.
constexpr bool valid_subject_token(std::string_view token) noexcept { return !find_violation(token); }

/// The violation of `token` as a fault of code `invalid_token` that names `field` and the rule, or nothing.
std::optional<fault> check_subject_token(std::string_view field, std::string_view token);

}  // namespace compass_fabric::fabric
