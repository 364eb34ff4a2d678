// SPDX-License-Identifier: Apache-2.0
// A plain TCP client for the tests of the test support itself.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

namespace asio = boost::asio;

/// Throws `system_error` when it cannot connect.
asio::awaitable<asio::ip::tcp::socket> connect_to(std::uint16_t port, std::string address = "127.0.0.1");

asio::awaitable<void> send(asio::ip::tcp::socket& socket, std::string_view bytes);

/// Checks that the next bytes are these.
asio::awaitable<void> expect(asio::ip::tcp::socket& socket, std::string_view bytes);

/// Reads up to the next PONG line. A server pings on its own as well; checks that nothing else came before it.
asio::awaitable<void> expect_pong(asio::ip::tcp::socket& socket);

/// Checks that nothing but end-of-file comes.
asio::awaitable<void> expect_end(asio::ip::tcp::socket& socket);

/// One read's bytes; empty at end-of-file.
asio::awaitable<std::string> receive_some(asio::ip::tcp::socket& socket);

}  // namespace compass_fabric::testing
