// SPDX-License-Identifier: Apache-2.0
// Binary members of API replies: standard base64 with padding.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::jetstream {

/// The bytes of `text`; nothing when it is not base64.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace compass_fabric::jetstream
