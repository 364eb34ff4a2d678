// SPDX-License-Identifier: Apache-2.0
// The server's monitoring pages.
//
//   const auto varz = http_get(server.http_port(), "/varz").body;
#pragma once

#include <compass_fabric/testing/deadline.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

struct http_response {
  unsigned status = 0;
  std::string body;
};

/// One GET. Throws `boost::system::system_error` when there is no answer within `limit`.
http_response http_get(std::uint16_t port, std::string_view target, milliseconds limit = seconds{5},
                       const std::string& address = "127.0.0.1");

}  // namespace compass_fabric::testing
