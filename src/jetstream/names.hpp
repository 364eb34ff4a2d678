// SPDX-License-Identifier: Apache-2.0
// Checks of what becomes part of an API subject: a stray dot or wildcard there would address something else.
#pragma once

#include <string>
#include <string_view>

namespace compass_fabric::jetstream {

/// Names the rule a stream or consumer name breaks and where; empty for a valid one. Valid: 1 to 255 bytes without
/// blank, control byte, `.`, `*`, `>`, `/` or `\`.
std::string name_fault(std::string_view name);

/// Throws `errc::invalid_name` with the offending character when `name` is not valid; `kind` is "stream" or "consumer".
void check_name(std::string_view kind, std::string_view name);

/// Throws `errc::invalid_name` when `filter` is not a subject filter; `kind` says whose.
void check_filter(std::string_view kind, std::string_view filter);

}  // namespace compass_fabric::jetstream
