// SPDX-License-Identifier: Apache-2.0
// Which of a host's addresses are tried, and in which order.
#pragma once

namespace compass_fabric {

/// The families alternate in all orders that allow both, so that a dead family costs little.
enum class address_order {
  /// Beginning with the family of the resolver's first answer.
  as_resolved,
  ipv6_first,
  ipv4_first,
  ipv6_only,
  ipv4_only,
};

}  // namespace compass_fabric
