// SPDX-License-Identifier: Apache-2.0
// One table that says what a byte means in a subject, so that validation costs one lookup per byte.
#pragma once

#include <array>
#include <cstdint>

namespace compass_fabric::proto {

/// Flags, so that the classes of all bytes of a text can be gathered with one OR per byte.
enum byte_class : std::uint8_t {
  ordinary_byte = 0,
  dot_byte = 1,
  wildcard_byte = 2,
  /// A blank, a control byte, NUL or DEL: it would end the argument or the line on the wire.
  forbidden_byte = 4,
};

inline constexpr std::array<std::uint8_t, 256> byte_classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (unsigned byte = 0; byte <= ' '; ++byte) table[byte] = forbidden_byte;
  table[0x7f] = forbidden_byte;
  table['.'] = dot_byte;
  table['*'] = wildcard_byte;
  table['>'] = wildcard_byte;
  return table;
}();

constexpr unsigned class_of(char byte) noexcept { return byte_classes[static_cast<unsigned char>(byte)]; }

}  // namespace compass_fabric::proto
