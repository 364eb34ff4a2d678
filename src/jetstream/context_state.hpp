// SPDX-License-Identifier: Apache-2.0
// What contexts and consumers share: the connection, the API prefix and one way to ask.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/jetstream/context.hpp>

namespace compass_fabric::jetstream {

class context_state {
 public:
  context_state(connection nc, const context_options& options);

  /// `<prefix>.<verb>`.
  std::string subject(std::string_view verb) const;
  /// One API request. Errors: `unavailable` when nobody answers; otherwise those of `connection::request`.
  boost::asio::awaitable<compass_fabric::message> call(std::string verb, std::string body) const;

  /// The connection's operations are not const, its handles are cheap.
  connection link() const { return connection_; }
  const connection& get_connection() const noexcept { return connection_; }

 private:
  boost::asio::awaitable<compass_fabric::message> ask(std::string_view address, std::string_view body) const;
  boost::asio::awaitable<compass_fabric::message> ask_observed(std::string_view address, std::string_view body) const;

  connection connection_;
  std::string prefix_;
  std::chrono::milliseconds timeout_;
  plain_handler<void(const api_call&)> on_api_call_;
};

}  // namespace compass_fabric::jetstream
