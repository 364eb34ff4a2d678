// SPDX-License-Identifier: Apache-2.0
#include "client/tcp_transport.hpp"

#include <boost/asio/error.hpp>

namespace compass_fabric::client {
namespace {

class tcp_transport final : public transport {
 public:
  explicit tcp_transport(asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
    error_code ignored;
    socket_.non_blocking(true, ignored);
  }

  void async_read_some(asio::mutable_buffer buffer, io_handler handler) override {
    socket_.async_read_some(
        buffer, [h = std::move(handler)](error_code ec, std::size_t n) mutable { std::move(h)(io_result{ec, n}); });
  }

  void async_write_some(asio::const_buffer buffer, io_handler handler) override {
    socket_.async_write_some(
        buffer, [h = std::move(handler)](error_code ec, std::size_t n) mutable { std::move(h)(io_result{ec, n}); });
  }

  io_result try_write(std::string_view bytes) noexcept override {
    io_result result;
    result.bytes = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), result.error);
    if (result.error == asio::error::would_block || result.error == asio::error::try_again) result.error.clear();
    return result;
  }

  void close() noexcept override {
    error_code ignored;
    socket_.close(ignored);
  }

  asio::any_io_executor executor() override { return socket_.get_executor(); }

 private:
  asio::ip::tcp::socket socket_;
};

}  // namespace

std::unique_ptr<transport> make_tcp_transport(asio::ip::tcp::socket socket) {
  return std::make_unique<tcp_transport>(std::move(socket));
}

}  // namespace compass_fabric::client
