// SPDX-License-Identifier: Apache-2.0
// A cluster of three under load whose nodes leave, die, freeze and vanish in turn.
#pragma once

#include <compass_fabric/testing/deadline.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace compass_fabric::testing {

struct soak_report {
  /// What went wrong; empty when nothing did.
  std::vector<std::string> faults;
  /// Troubles made, reconnects seen, core messages received, publishes acknowledged, and of those found on the stream.
  std::size_t troubles = 0;
  std::uint64_t reconnects = 0;
  std::uint64_t received = 0;
  std::uint64_t acknowledged = 0;
  std::uint64_t stored = 0;
  /// Resident memory after the first troubles and at the end.
  std::size_t memory_early = 0;
  std::size_t memory_late = 0;
};

/// Makes trouble for `length` (at least four troubles) and checks after each that core messages and acknowledgements
/// flow again, and at the end that every acknowledged message is on the stream, that no server log complains about what
/// it was sent, and that memory stays flat.
soak_report soak(seconds length);

}  // namespace compass_fabric::testing
