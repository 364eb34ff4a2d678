// SPDX-License-Identifier: Apache-2.0
// Streams of the user's own as transports.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <compass_fabric/transport.hpp>

#include "client/transport.hpp"

namespace compass_fabric::client {

/// One call of a factory, which can be given up. Used once, held by a shared pointer.
class pending_user_stream : public std::enable_shared_from_this<pending_user_stream> {
 public:
  pending_user_stream(const asio::any_io_executor& executor, stream_factory factory);

  /// Calls the factory. Returns why there is no stream, explained in `text`.
  asio::awaitable<error_code> open(dial_target target, std::string& text);
  /// Ends `open` at once and cancels the factory's coroutine; what it still makes is dropped.
  void abort(error_code reason) noexcept;
  /// After success, once.
  std::unique_ptr<transport> take();

 private:
  void made(std::exception_ptr failure, std::unique_ptr<byte_stream> stream);

  stream_factory factory_;  // may be referred to by the coroutine it made
  asio::steady_timer wake_;
  asio::cancellation_signal cancel_;
  std::unique_ptr<byte_stream> stream_;
  bool ended_ = false;
  error_code error_;
  std::string text_;
};

}  // namespace compass_fabric::client
