// SPDX-License-Identifier: Apache-2.0
// What every command runs in: the connection, the output, and the wish to stop.
#pragma once

#include "arguments.hpp"

#include <compass_fabric/connection.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

#include <exception>
#include <string>
#include <string_view>

namespace fabricctl {

/// Lives as long as the command. Lines go out at once, so that a reader at the other end of a pipe sees them, and so
/// that what was printed before an answer is not lost with the process.
class session {
 public:
  session(compass_fabric::connection nc, const common_options& common);

  compass_fabric::connection& nc() { return nc_; }
  const common_options& common() const { return common_; }

  /// Writes one line to standard output. Throws `std::runtime_error` when it cannot be written.
  void print(std::string_view line);
  /// Writes one line to standard error.
  void warn(std::string_view line);

  /// True after SIGINT or SIGTERM, or `stop`.
  bool stopping() const { return stopping_; }
  void stop();
  /// Stops with an error that `wait_for_stop` throws.
  void fail(std::exception_ptr failure);
  /// Waits until the server has taken everything sent so far. Throws also what it refused.
  boost::asio::awaitable<void> flush();
  /// Waits until `stopping`. Throws what `fail` was given, or why the connection ended or the server refused something.
  boost::asio::awaitable<void> wait_for_stop();

 private:
  void on_event(const compass_fabric::connection_event& e);
  void check() const;

  compass_fabric::connection nc_;
  common_options common_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer stopped_;
  compass_fabric::event_registration watch_;
  std::exception_ptr failure_;
  bool stopping_ = false;
};

/// Connects as the options say.
boost::asio::awaitable<compass_fabric::connection> open(common_options common);

}  // namespace fabricctl
