// SPDX-License-Identifier: Apache-2.0
// Base32 (RFC 4648) in upper case and without padding, and base64url without padding: the text forms of keys and
// signatures; and plain base64.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// `bytes` as base32 text.
std::string encode_base32(std::string_view bytes);
/// The bytes of `text`; nothing when a character is not of the alphabet, the length is impossible, or a bit that
/// belongs to no byte is set.
std::optional<std::string> decode_base32(std::string_view text);

/// `bytes` as base64url text without padding.
std::string encode_base64url(std::string_view bytes);
/// `bytes` as base64 text with padding.
std::string encode_base64(std::string_view bytes);

}  // namespace compass_fabric::proto
