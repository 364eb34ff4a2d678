// SPDX-License-Identifier: Apache-2.0
// SOCKS 5 (RFC 1928) with user name and password (RFC 1929).
#pragma once

#include "proto/proxy_handshake.hpp"

namespace compass_fabric::proto {

class socks5 final : public proxy_handshake {
 public:
  socks5(const proxy_address& proxy, const proxy_target& target);

  std::size_t wanted() const noexcept override { return reply_size_ - reply_.size(); }
  void feed(std::string_view bytes) override;

 private:
  enum class phase : std::uint8_t { method, login, head, rest };

  void on_reply();
  void on_method();
  void on_head();
  void send_login();
  void send_request();
  void expect(phase next, std::size_t size);

  proxy_address proxy_;
  proxy_target target_;
  phase phase_ = phase::method;
  std::string reply_;  // of the present phase
  std::size_t reply_size_ = 2;
};

}  // namespace compass_fabric::proto
