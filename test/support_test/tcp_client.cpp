// SPDX-License-Identifier: Apache-2.0
#include "support_test/tcp_client.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch_test_macros.hpp>

#include <array>

namespace compass_fabric::testing {

asio::awaitable<asio::ip::tcp::socket> connect_to(std::uint16_t port, std::string address) {
  asio::ip::tcp::socket socket(co_await asio::this_coro::executor);
  const asio::ip::tcp::endpoint peer(asio::ip::make_address(address), port);
  co_await socket.async_connect(peer, asio::use_awaitable);
  co_return socket;
}

asio::awaitable<void> send(asio::ip::tcp::socket& socket, std::string_view bytes) {
  co_await asio::async_write(socket, asio::buffer(bytes), asio::use_awaitable);
}

asio::awaitable<void> expect(asio::ip::tcp::socket& socket, std::string_view bytes) {
  std::string got(bytes.size(), '\0');
  co_await asio::async_read(socket, asio::buffer(got), asio::use_awaitable);
  CHECK(got == bytes);
}

asio::awaitable<void> expect_pong(asio::ip::tcp::socket& socket) {
  constexpr std::string_view ping = "PING\r\n";
  std::string got;
  while (!got.ends_with("PONG\r\n")) {
    const auto more = co_await receive_some(socket);
    if (more.empty()) break;
    got += more;
    while (got.starts_with(ping)) got.erase(0, ping.size());
  }
  CHECK(got == "PONG\r\n");
}

asio::awaitable<void> expect_end(asio::ip::tcp::socket& socket) {
  const auto rest = co_await receive_some(socket);
  CHECK(rest.empty());
}

asio::awaitable<std::string> receive_some(asio::ip::tcp::socket& socket) {
  std::array<char, 65536> buffer;
  boost::system::error_code ec;
  const auto count =
      co_await socket.async_read_some(asio::buffer(buffer), asio::redirect_error(asio::use_awaitable, ec));
  if (ec && ec != asio::error::eof) throw boost::system::system_error(ec);
  co_return std::string(buffer.data(), count);
}

}  // namespace compass_fabric::testing
