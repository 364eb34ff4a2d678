// SPDX-License-Identifier: Apache-2.0
#include "proto/go_quote.hpp"

#include <charconv>
#include <cstdint>
#include <system_error>

namespace compass_fabric::proto {

namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  const auto tail = [&out, code](unsigned shift) { out += static_cast<char>(0x80 | (code >> shift & 0x3f)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xc0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xe0 | code >> 12);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0 | code >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

/// The byte a one-letter escape stands for; NUL when it is none.
char simple_escape(char letter) noexcept {
  switch (letter) {
    case '"': return '"';
    case '\\': return '\\';
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return '\0';
  }
}

std::size_t digits_of(char letter) noexcept {
  switch (letter) {
    case 'x': return 2;
    case 'u': return 4;
    case 'U': return 8;
    default: return 0;
  }
}

/// Decodes the escape `text` starts with and returns its size; 0 when it is none.
std::size_t append_escape(std::string& out, std::string_view text) {
  if (text.size() < 2) return 0;
  if (const char byte = simple_escape(text[1]); byte != '\0') {
    out += byte;
    return 2;
  }
  const auto digits = text.substr(2, digits_of(text[1]));
  if (digits.empty() || digits.size() != digits_of(text[1])) return 0;
  std::uint32_t code = 0;
  const auto end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, code, 16);
  if (parsed.ec != std::errc() || parsed.ptr != end || code > 0x10ffff) return 0;
  if (text[1] == 'x') {
    out += static_cast<char>(code);
  } else {
    append_utf8(out, code);
  }
  return 2 + digits.size();
}

}  // namespace

std::string take_quoted(std::string_view& rest) {
  std::string out;
  rest.remove_prefix(1);
  while (!rest.empty() && rest.front() != '"') {
    const auto escape = rest.front() == '\\' ? append_escape(out, rest) : 0;
    if (escape == 0) out += rest.front();
    rest.remove_prefix(escape == 0 ? 1 : escape);
  }
  if (!rest.empty()) rest.remove_prefix(1);
  return out;
}

}  // namespace compass_fabric::proto
