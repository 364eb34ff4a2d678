// SPDX-License-Identifier: Apache-2.0
#include "client/dialer.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace compass_fabric::client {

namespace {
constexpr auto nothrow = asio::as_tuple(asio::use_awaitable);
}

asio::awaitable<error_code> dialer::connect(std::string host, std::uint16_t port) {
  error_code not_literal;
  const auto address = asio::ip::make_address(host, not_literal);
  // A literal address needs no resolver, whose thread could not be interrupted.
  if (!not_literal) {
    const asio::ip::tcp::endpoint endpoint(address, port);
    co_return co_await connect_to(endpoint);
  }
  const std::string service = std::to_string(port);
  const auto [ec, results] = co_await resolver_.async_resolve(host, service, nothrow);
  if (aborted_) co_return aborted_;
  if (ec) co_return ec;
  error_code last = asio::error::host_not_found;
  for (const auto& entry : results) {
    const asio::ip::tcp::endpoint endpoint = entry.endpoint();
    last = co_await connect_to(endpoint);
    if (!last || aborted_) break;
  }
  co_return last;
}

asio::awaitable<error_code> dialer::connect_to(const asio::ip::tcp::endpoint& endpoint) {
  error_code ec;
  socket_.close(ec);
  socket_.open(endpoint.protocol(), ec);
  if (ec) co_return ec;
  const auto [failure] = co_await socket_.async_connect(endpoint, nothrow);
  co_return aborted_ ? aborted_ : failure;
}

void dialer::abort(error_code reason) noexcept {
  aborted_ = reason;
  resolver_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace compass_fabric::client
