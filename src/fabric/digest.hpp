// SPDX-License-Identifier: Apache-2.0
// SHA-256 as text, for message ids and consumer names.
#pragma once

#include <string>
#include <string_view>

namespace compass_fabric::fabric {

/// The SHA-256 of `bytes` as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace compass_fabric::fabric
