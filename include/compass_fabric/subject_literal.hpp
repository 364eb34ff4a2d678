// SPDX-License-Identifier: Apache-2.0
// Subjects written in the source, checked by the compiler.
//
//   using namespace compass_fabric::literals;
//   co_await nc.publish("greet.ann"_subject, "hello");   // "greet..ann"_subject does not compile
//   auto sub = nc.subscribe("greet.*"_filter);
#pragma once

#include <cstddef>
#include <string_view>

namespace compass_fabric {

namespace detail {

constexpr bool ends_an_argument(char byte) noexcept {
  const auto value = static_cast<unsigned char>(byte);
  return value <= 0x20 || value == 0x7f;
}

/// The rules of `publish` and `subscribe`, see there.
constexpr bool valid_subject(std::string_view text, bool wildcards) noexcept {
  constexpr std::size_t longest = 2000;
  if (text.size() > longest) return false;
  for (;;) {
    const std::size_t end = text.find('.');
    const std::string_view token = text.substr(0, end);
    const bool last = end == std::string_view::npos;
    if (token.empty()) return false;
    for (const char byte : token) {
      if (ends_an_argument(byte)) return false;
    }
    if (token == "*" && !wildcards) return false;
    if (token == ">" && (!wildcards || !last)) return false;
    if (last) return true;
    text.remove_prefix(end + 1);
  }
}

/// Not constexpr on purpose: a literal that reaches it cannot be compiled.
inline void this_subject_breaks_the_grammar() {}

}  // namespace detail

namespace literals {

/// A subject that can be published to: no empty token, no blank, no control byte, no wildcard.
consteval std::string_view operator""_subject(const char* text, std::size_t size) {
  if (!detail::valid_subject({text, size}, false)) detail::this_subject_breaks_the_grammar();
  return {text, size};
}

/// A subject that can be subscribed to: as above, and `*` may be any token, `>` the last one.
consteval std::string_view operator""_filter(const char* text, std::size_t size) {
  if (!detail::valid_subject({text, size}, true)) detail::this_subject_breaks_the_grammar();
  return {text, size};
}

}  // namespace literals
}  // namespace compass_fabric
