// SPDX-License-Identifier: Apache-2.0
// One attempt to reach a server: everything below the NATS protocol, until bytes can be exchanged.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/options.hpp>

#include "client/dialer.hpp"
#include "client/transport.hpp"
#include "proto/server_url.hpp"
#include "proto/session.hpp"

namespace compass_fabric::client {

class pending_user_stream;

/// What a link is made of.
struct link_stream {
  std::unique_ptr<transport> stream;
  proto::tls_need tls = proto::tls_need::when_asked;
  /// Whether the stream is TLS already, and the name a certificate must be valid for.
  bool secured = false;
  std::string host;
};

/// Used once. `options` must outlive it.
class connector {
 public:
  connector(const asio::any_io_executor& executor, const connect_options& options);

  /// Makes the stream to `server`, which must live until the end; `tls_seen` tells that an earlier link of the
  /// connection was encrypted. Returns why it failed.
  asio::awaitable<error_code> connect(const proto::server_url& server, bool tls_seen);
  /// Ends a running `connect` at once with `reason`.
  void abort(error_code reason) noexcept;
  /// After success, once.
  link_stream take() noexcept { return std::move(made_); }
  /// What there is to say about a failure beyond its code.
  const std::string& failure_text() const noexcept { return text_; }

 private:
  asio::awaitable<error_code> establish(const proto::server_url& server, bool tls_seen);
  asio::awaitable<error_code> dial(const proto::server_url& server);
  asio::awaitable<error_code> dial(const std::string& host, std::uint16_t port);
  asio::awaitable<error_code> open_user_stream(const dial_target& target);

  asio::any_io_executor executor_;
  const connect_options& options_;
  std::shared_ptr<pending_user_stream> user_stream_;
  dialer dialer_;
  link_stream made_;
  std::string text_;
  error_code aborted_;
};

}  // namespace compass_fabric::client
