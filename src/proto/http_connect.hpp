// SPDX-License-Identifier: Apache-2.0
// HTTP CONNECT (RFC 9110, 9.3.6) with Basic authentication (RFC 7617).
#pragma once

#include "proto/proxy_handshake.hpp"

namespace compass_fabric::proto {

class http_connect final : public proxy_handshake {
 public:
  http_connect(const proxy_address& proxy, const proxy_target& target);

  std::size_t wanted() const noexcept override;
  void feed(std::string_view bytes) override;

 private:
  std::string reply_;
};

}  // namespace compass_fabric::proto
