// SPDX-License-Identifier: Apache-2.0
// What is said to a proxy before it passes bytes on: HTTP CONNECT and SOCKS 5, without a socket.
//
//   auto talk = start_proxy_handshake(proxy, {"nats.example.com", 4222});
//   while (talk->status() == proxy_status::talking) {
//     send(talk->take_output());
//     talk->feed(receive_at_most(talk->wanted()));
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <compass_fabric/secret.hpp>

namespace compass_fabric::proto {

enum class proxy_scheme : std::uint8_t { http, socks5 };

struct proxy_address {
  proxy_scheme scheme = proxy_scheme::http;
  std::string host;
  std::uint16_t port = 0;
  std::string user;
  secret password;
};

/// Parses `http://[user:password@]host:port` or `socks5://...`. Nothing on a fault, which does not repeat credentials.
std::optional<proxy_address> parse_proxy_url(std::string_view text, std::string& fault);

/// What the proxy shall connect to. `address` holds the 4 or 16 bytes of an IP address when `host` is one.
struct proxy_target {
  std::string host;
  std::uint16_t port = 0;
  std::string address = {};
};

enum class proxy_status : std::uint8_t { talking, done, failed };

/// One conversation. It never asks for a byte behind the proxy's last one: that would be the server's first.
class proxy_handshake {
 public:
  virtual ~proxy_handshake() = default;

  /// What is to be sent now; may be empty. It may hold credentials.
  secret take_output() { return std::exchange(output_, {}); }
  /// How many bytes may be read next; at least one while talking.
  virtual std::size_t wanted() const noexcept = 0;
  /// Bytes from the proxy, at most `wanted()`.
  virtual void feed(std::string_view bytes) = 0;

  proxy_status status() const noexcept { return status_; }
  /// Why it failed, as the proxy said it where it did.
  const std::string& fault() const noexcept { return fault_; }

 protected:
  void say(std::string&& bytes) { output_ = std::move(bytes); }
  void done() noexcept { status_ = proxy_status::done; }
  void fail(std::string why) {
    status_ = proxy_status::failed;
    fault_ = std::move(why);
  }

 private:
  secret output_;
  proxy_status status_ = proxy_status::talking;
  std::string fault_;
};

/// Begins the conversation that `proxy` speaks; its first words are the output.
std::unique_ptr<proxy_handshake> start_proxy_handshake(const proxy_address& proxy, const proxy_target& target);

}  // namespace compass_fabric::proto
