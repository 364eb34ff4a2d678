// SPDX-License-Identifier: Apache-2.0
// Letters and digits of the wire, whatever the locale says.
#pragma once

namespace compass_fabric::proto {

constexpr bool is_digit(char byte) noexcept { return byte >= '0' && byte <= '9'; }
constexpr bool is_alphanumeric(char byte) noexcept {
  return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

}  // namespace compass_fabric::proto
