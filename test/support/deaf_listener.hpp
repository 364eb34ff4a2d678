// SPDX-License-Identifier: Apache-2.0
// An address that swallows connection requests: neither accepted nor refused, as behind a firewall that drops.
#pragma once

#include "testing/unique_fd.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace compass_fabric::testing {

/// Listens on `address`:`port` with its queue full, so that the kernel drops further requests. Throws
/// `std::runtime_error` when it cannot.
class deaf_listener {
 public:
  deaf_listener(const std::string& address, std::uint16_t port);

 private:
  unique_fd listener_;
  std::vector<unique_fd> queued_;
};

}  // namespace compass_fabric::testing
