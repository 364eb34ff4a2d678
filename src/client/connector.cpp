// SPDX-License-Identifier: Apache-2.0
#include "client/connector.hpp"

#include "client/proxy_tunnel.hpp"
#include "client/secure.hpp"
#include "client/tcp_transport.hpp"
#include "client/tls_client.hpp"
#include "client/user_transport.hpp"
#include "client/websocket_transport.hpp"

namespace compass_fabric::client {

connector::connector(const asio::any_io_executor& executor, const connect_options& options)
    : executor_(executor), options_(options), dialer_(executor, options.dial) {}

asio::awaitable<error_code> connector::connect(const proto::server_url& server, bool tls_seen) {
  const error_code failure = co_await establish(server, tls_seen);
  if (aborted_) co_return aborted_;
  co_return failure;
}

asio::awaitable<error_code> connector::establish(const proto::server_url& server, bool tls_seen) {
  made_.tls = tls_need_of(options_.tls, server, tls_seen);
  made_.host = tls_host(options_.tls, server);
  const bool websocket = proto::is_websocket(server.scheme);
  if (websocket && !proto::is_secure(server.scheme) && made_.tls == proto::tls_need::always) {
    text_ = "ws:// is plain text; an encrypted WebSocket has a wss:// address";
    co_return errc::tls_required;
  }
  const error_code unreachable = co_await dial(server);
  if (unreachable || aborted_) co_return unreachable;
  const bool tls_now = websocket ? proto::is_secure(server.scheme) : options_.tls.mode == tls_mode::handshake_first;
  if (tls_now) {
    const error_code insecure = co_await secure(made_.stream, options_.tls, made_.host, text_);
    if (insecure || aborted_) co_return insecure;
    made_.secured = true;
  }
  if (!websocket) co_return error_code{};
  made_.tls = proto::tls_need::settled;
  const error_code declined = co_await upgrade_to_websocket(made_.stream, server, options_.websocket, text_);
  co_return declined;
}

asio::awaitable<error_code> connector::dial(const proto::server_url& server) {
  if (options_.make_stream) {
    const dial_target target{server.host, server.port};
    const error_code failure = co_await open_user_stream(target);
    co_return failure;
  }
  if (options_.proxy.url.empty()) {
    const error_code unreachable = co_await dial(server.host, server.port);
    co_return unreachable;
  }
  const auto proxy = proto::parse_proxy_url(options_.proxy.url, text_);
  if (!proxy) co_return errc::invalid_option;
  const error_code unreachable = co_await dial(proxy->host, proxy->port);
  if (unreachable || aborted_) {
    text_ = "proxy " + proxy->host + ":" + std::to_string(proxy->port) + (text_.empty() ? "" : ": ") + text_;
    co_return unreachable;
  }
  const error_code refused = co_await open_tunnel(*made_.stream, options_.proxy, *proxy, server, text_);
  co_return refused;
}

asio::awaitable<error_code> connector::dial(const std::string& host, std::uint16_t port) {
  const error_code unreachable = co_await dialer_.connect(host, port);
  if (unreachable || aborted_) {
    text_ = dialer_.failure_text();
    co_return unreachable;
  }
  made_.stream = make_tcp_transport(dialer_.take());
  co_return error_code{};
}

asio::awaitable<error_code> connector::open_user_stream(const dial_target& target) {
  user_stream_ = std::make_shared<pending_user_stream>(executor_, options_.make_stream);
  const error_code failure = co_await user_stream_->open(target, text_);
  if (failure) co_return failure;
  made_.stream = user_stream_->take();
  co_return error_code{};
}

void connector::abort(error_code reason) noexcept {
  aborted_ = reason;
  dialer_.abort(reason);
  if (user_stream_) user_stream_->abort(reason);
  if (made_.stream) made_.stream->close();
}

}  // namespace compass_fabric::client
