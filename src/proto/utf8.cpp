// SPDX-License-Identifier: Apache-2.0
#include "proto/utf8.hpp"

namespace compass_fabric::proto {

namespace {

bool in_range(char byte, unsigned low, unsigned high) noexcept {
  const auto value = static_cast<unsigned char>(byte);
  return value >= low && value <= high;
}

/// Bounds of the second byte by the first: they exclude overlong forms, surrogates and values above U+10FFFF.
struct lead {
  std::size_t size = 0;
  unsigned low = 0x80;
  unsigned high = 0xbf;
};

lead classify(unsigned char byte) noexcept {
  if (byte < 0x80) return {1};
  if (byte < 0xc2) return {};
  if (byte < 0xe0) return {2};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};
  if (byte < 0xf0) return {3};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4};
  if (byte == 0xf4) return {4, 0x80, 0x8f};
  return {};
}

}  // namespace

std::size_t utf8_sequence_size(std::string_view text) noexcept {
  const auto expected = classify(static_cast<unsigned char>(text.front()));
  if (expected.size <= 1) return expected.size;
  if (text.size() < expected.size || !in_range(text[1], expected.low, expected.high)) return 0;
  for (std::size_t at = 2; at < expected.size; ++at) {
    if (!in_range(text[at], 0x80, 0xbf)) return 0;
  }
  return expected.size;
}

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto size = utf8_sequence_size(text);
    out += size == 0 ? utf8_replacement : text.substr(0, size);
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return out;
}

}  // namespace compass_fabric::proto
