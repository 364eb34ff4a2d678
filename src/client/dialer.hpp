// SPDX-License-Identifier: Apache-2.0
// One attempt to reach a host by TCP; can be given up at any point.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <compass_fabric/error.hpp>

namespace compass_fabric::client {

namespace asio = boost::asio;

class dialer {
 public:
  explicit dialer(const asio::any_io_executor& executor) : resolver_(executor), socket_(executor) {}

  /// Resolves and tries every address in turn. Returns the last error, or why it was given up.
  asio::awaitable<error_code> connect(std::string host, std::uint16_t port);
  /// Ends a running `connect` at once with `reason`.
  void abort(error_code reason) noexcept;
  /// The connected socket.
  asio::ip::tcp::socket take() noexcept { return std::move(socket_); }

 private:
  asio::awaitable<error_code> connect_to(const asio::ip::tcp::endpoint& endpoint);

  asio::ip::tcp::resolver resolver_;
  asio::ip::tcp::socket socket_;
  error_code aborted_;
};

}  // namespace compass_fabric::client
