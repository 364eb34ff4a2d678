// SPDX-License-Identifier: Apache-2.0
// Times as the API writes them: RFC 3339 with up to nine fraction digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <compass_fabric/jetstream/config.hpp>

namespace compass_fabric::jetstream {

/// What `parse_time` found.
struct parsed_time {
  /// False: the text is not a time at all.
  bool valid = false;
  /// Absent for the year 1, by which the server says "never", and for times an int64 of nanoseconds cannot hold.
  std::optional<timestamp> time;
};

parsed_time parse_time(std::string_view text) noexcept;

/// UTC with as many fraction digits as needed.
std::string format_time(timestamp time);

}  // namespace compass_fabric::jetstream
