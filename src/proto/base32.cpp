// SPDX-License-Identifier: Apache-2.0
#include "proto/base32.hpp"

#include <cstdint>

namespace compass_fabric::proto {
namespace {

constexpr std::string_view base32_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
constexpr std::string_view base64_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view base64url_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Writes the bits of `bytes` in groups of `width`, the last one filled up with zeros.
std::string encode(std::string_view bytes, unsigned width, std::string_view digits) {
  std::string text;
  text.reserve(bytes.size() * 8 / width + 4);
  std::uint32_t bits = 0;
  unsigned count = 0;
  const auto put = [&](std::uint32_t group) { text.push_back(digits[group & ((1U << width) - 1)]); };
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= width;) put(bits >> (count -= width));
  }
  if (count != 0) put(bits << (width - count));
  return text;
}

}  // namespace

std::string encode_base32(std::string_view bytes) { return encode(bytes, 5, base32_digits); }

std::string encode_base64url(std::string_view bytes) { return encode(bytes, 6, base64url_digits); }

std::string encode_base64(std::string_view bytes) {
  auto text = encode(bytes, 6, base64_digits);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::optional<std::string> decode_base32(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * 5 / 8);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const auto digit = base32_digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 5 | static_cast<std::uint32_t>(digit);
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xff));
  }
  const std::uint32_t rest = bits & ((1U << count) - 1);
  if (count >= 5 || rest != 0) return std::nullopt;
  return bytes;
}

}  // namespace compass_fabric::proto
