// SPDX-License-Identifier: Apache-2.0
#include "testing/http_get.hpp"

#include <compass_fabric/testing/run.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>

namespace compass_fabric::testing {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

asio::awaitable<http_response> get(asio::ip::tcp::endpoint server, std::string target, milliseconds limit) {
  beast::tcp_stream stream(co_await asio::this_coro::executor);
  stream.expires_after(limit);
  co_await stream.async_connect(server, asio::use_awaitable);
  http::request<http::empty_body> request(http::verb::get, target, 11);
  request.set(http::field::host, server.address().to_string());
  request.set(http::field::connection, "close");
  co_await http::async_write(stream, request, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  co_await http::async_read(stream, buffer, response, asio::use_awaitable);
  http_response result{response.result_int(), std::move(response.body())};
  co_return result;
}

}  // namespace

http_response http_get(std::uint16_t port, std::string_view target, milliseconds limit, const std::string& address) {
  const asio::ip::tcp::endpoint server(asio::ip::make_address(address), port);
  return run(get(server, std::string(target), limit), limit + seconds{1});
}

}  // namespace compass_fabric::testing
