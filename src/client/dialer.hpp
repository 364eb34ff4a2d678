// SPDX-License-Identifier: Apache-2.0
// One attempt to reach a host by TCP: resolves its name and races its addresses; can be given up at any point.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <compass_fabric/dial_options.hpp>
#include <compass_fabric/error.hpp>

namespace compass_fabric::client {

namespace asio = boost::asio;

/// Used once. `options` must outlive it.
class dialer {
 public:
  dialer(const asio::any_io_executor& executor, const dial_options& options);
  ~dialer();
  dialer(const dialer&) = delete;
  dialer& operator=(const dialer&) = delete;

  /// Returns why no address could be reached, or why it was given up.
  asio::awaitable<error_code> connect(std::string host, std::uint16_t port);
  /// Ends a running `connect` at once with `reason`, also while a name is being resolved.
  void abort(error_code reason) noexcept;
  /// The connected socket.
  asio::ip::tcp::socket take() noexcept;
  /// What became of each address, where there were several.
  std::string failure_text() const;

 private:
  class state;
  asio::awaitable<error_code> resolve(std::string host, std::uint16_t port);

  const dial_options& options_;
  std::shared_ptr<state> state_;  // shared with handlers that may outlive the dialer
};

}  // namespace compass_fabric::client
