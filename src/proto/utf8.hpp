// SPDX-License-Identifier: Apache-2.0
// Turning any bytes into valid UTF-8, for JSON must not hold anything else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// The size in bytes of the UTF-8 sequence `text` starts with; 0 when it is not a valid one. Precondition: not empty.
std::size_t utf8_sequence_size(std::string_view text) noexcept;

/// The replacement character, put in the place of each byte that belongs to no valid sequence.
inline constexpr std::string_view utf8_replacement = "\xef\xbf\xbd";

/// `text` with every invalid byte replaced.
std::string to_valid_utf8(std::string_view text);

}  // namespace compass_fabric::proto
