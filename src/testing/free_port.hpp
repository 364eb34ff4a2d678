// SPDX-License-Identifier: Apache-2.0
// Ports on loopback for the servers and peers of a test.
#pragma once

#include <cstdint>

namespace compass_fabric::testing {

/// A TCP port of 127.0.0.1 that nobody listens on. It stays this process's own until the process ends, also while
/// nothing listens on it (a server being restarted): other test processes do not get it, and it lies outside the
/// range from which the kernel picks ports for outgoing connections. Throws `std::runtime_error` when there is none.
std::uint16_t free_port();

}  // namespace compass_fabric::testing
