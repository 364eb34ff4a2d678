// SPDX-License-Identifier: Apache-2.0
// The server's advisory that a message was delivered as often as its consumer allows and never answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::fabric {

struct max_deliveries_advisory {
  std::uint64_t stream_sequence = 0;
  std::uint64_t deliveries = 0;

  bool operator==(const max_deliveries_advisory&) const = default;
};

/// The core subject on which the server reports it for one consumer of the comms stream.
std::string max_deliveries_subject(std::string_view durable);

/// The advisory in `json`, or nothing when it is none.
std::optional<max_deliveries_advisory> parse_max_deliveries(std::string_view json);

}  // namespace compass_fabric::fabric
