// SPDX-License-Identifier: Apache-2.0
#include "support/ingress.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <mutex>
#include <thread>

namespace compass_fabric::testing {

namespace asio = boost::asio;
namespace ssl = asio::ssl;
using asio::use_awaitable;
using asio::ip::tcp;

namespace {

// Both ends of one tunnel: they go together.
struct tunnel {
  tunnel(tcp::socket accepted, ssl::context& tls) : client(std::move(accepted), tls), server(client.get_executor()) {}
  void close() {
    boost::system::error_code ignored;
    client.lowest_layer().close(ignored);
    server.close(ignored);
  }
  ssl::stream<tcp::socket> client;
  tcp::socket server;
};

// One direction until its end, which is the end of both.
template <class From, class To>
asio::awaitable<void> pump(std::shared_ptr<tunnel> both, From& from, To& to) {
  std::array<char, 16384> buffer;
  try {
    for (;;) {
      const auto room = asio::buffer(buffer);
      const auto count = co_await from.async_read_some(room, use_awaitable);
      const auto got = asio::buffer(buffer.data(), count);
      co_await asio::async_write(to, got, use_awaitable);
    }
  } catch (const boost::system::system_error&) {  // an end was closed
  }
  both->close();
}

}  // namespace

class ingress::engine {
 public:
  explicit engine(const ingress_options& options) : options_(options) {
    tls_.use_certificate_chain_file(options_.cert.string());
    tls_.use_private_key_file(options_.key.string(), ssl::context::pem);
    auto loop = accept_loop();
    asio::co_spawn(io_, std::move(loop), asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~engine() {
    io_.stop();
    thread_.join();
  }

  std::uint16_t port() const { return port_; }
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  asio::awaitable<void> accept_loop() {
    for (;;) {
      auto accepted = co_await acceptor_.async_accept(use_awaitable);
      auto work = serve(std::make_shared<tunnel>(std::move(accepted), tls_));
      asio::co_spawn(io_, std::move(work), asio::detached);
    }
  }

  asio::awaitable<void> serve(std::shared_ptr<tunnel> both) {
    try {
      co_await both->client.async_handshake(ssl::stream_base::server, use_awaitable);
      std::string head;
      auto buffer = asio::dynamic_buffer(head);
      const auto size = co_await asio::async_read_until(both->client, buffer, "\r\n\r\n", use_awaitable);
      note(head.substr(0, size));
      if (!served(head)) {
        const auto refusal = asio::buffer("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        co_await asio::async_write(both->client, refusal, use_awaitable);
        co_return;
      }
      const tcp::endpoint place(asio::ip::address_v4::loopback(), options_.upstream);
      co_await both->server.async_connect(place, use_awaitable);
      const auto all = asio::buffer(head);
      co_await asio::async_write(both->server, all, use_awaitable);
      auto up = pump(both, both->client, both->server);
      auto down = pump(both, both->server, both->client);
      asio::co_spawn(io_, std::move(up), asio::detached);
      asio::co_spawn(io_, std::move(down), asio::detached);
    } catch (const boost::system::system_error&) {  // an end was closed, or the server is not there
    }
  }

  bool served(const std::string& head) const {
    const auto wanted = "GET " + options_.path;
    return head.starts_with(wanted + " ") || head.starts_with(wanted + "?");
  }

  void note(std::string head) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(head));
  }

  const ingress_options options_;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  ssl::context tls_{ssl::context::tls_server};
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  const std::uint16_t port_ = acceptor_.local_endpoint().port();
  std::thread thread_;
};

ingress::ingress(const ingress_options& options) : engine_(std::make_unique<engine>(options)) {}

ingress::~ingress() = default;

std::uint16_t ingress::port() const { return engine_->port(); }

std::vector<std::string> ingress::requests() const { return engine_->requests(); }

}  // namespace compass_fabric::testing
