// SPDX-License-Identifier: Apache-2.0
// Decoding the JSON of an INFO message.
#pragma once

#include <compass_fabric/server_info.hpp>

#include <optional>
#include <string_view>

namespace compass_fabric::proto {

/// The fields of `json`; nothing when it is not one JSON object.
///
/// Any bytes and any size may be given. Unknown keys are ignored; a key that is missing, null or of another type leaves
/// the default, and so do list entries that are not strings. Bytes that are not UTF-8 are replaced.
std::optional<server_info> parse_server_info(std::string_view json);

}  // namespace compass_fabric::proto
