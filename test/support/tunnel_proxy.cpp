// SPDX-License-Identifier: Apache-2.0
#include "support/tunnel_proxy.hpp"

#include "testing/free_port.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <openssl/evp.h>

#include <array>
#include <mutex>
#include <optional>
#include <thread>

namespace compass_fabric::testing {

namespace asio = boost::asio;
using asio::use_awaitable;
using asio::ip::tcp;
using namespace std::string_literals;

namespace {

struct target {
  std::string host;
  std::uint16_t port = 0;
};

std::string basic(const std::string& login) {
  std::string encoded(login.size() * 2 + 4, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()),
                      reinterpret_cast<const unsigned char*>(login.data()), static_cast<int>(login.size()));
  encoded.resize(static_cast<std::size_t>(size));
  return encoded;
}

std::uint16_t port_of(const std::string& two_bytes) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(two_bytes[0]) << 8 |
                                    static_cast<unsigned char>(two_bytes[1]));
}

asio::awaitable<std::string> read(tcp::socket& socket, std::size_t size) {
  std::string bytes(size, '\0');
  const auto room = asio::buffer(bytes);
  co_await asio::async_read(socket, room, use_awaitable);
  co_return bytes;
}

asio::awaitable<void> write(tcp::socket& socket, std::string bytes) {
  const auto all = asio::buffer(bytes);
  co_await asio::async_write(socket, all, use_awaitable);
}

// One direction until its end, which is passed on.
asio::awaitable<void> pump(std::shared_ptr<tcp::socket> from, std::shared_ptr<tcp::socket> to) {
  std::array<char, 16384> buffer;
  try {
    for (;;) {
      const auto room = asio::buffer(buffer);
      const auto count = co_await from->async_read_some(room, use_awaitable);
      const auto got = asio::buffer(buffer.data(), count);
      co_await asio::async_write(*to, got, use_awaitable);
    }
  } catch (const boost::system::system_error&) {  // an end was closed
  }
  boost::system::error_code ignored;
  to->shutdown(tcp::socket::shutdown_send, ignored);
}

}  // namespace

class tunnel_proxy::engine {
 public:
  explicit engine(const tunnel_proxy_options& options) : options_(options) {
    auto loop = accept_loop();
    asio::co_spawn(io_, std::move(loop), asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~engine() {
    io_.stop();
    thread_.join();
  }

  std::vector<std::string> asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

  const tunnel_proxy_options options_;
  const std::uint16_t port_ = free_port();

 private:
  asio::awaitable<void> accept_loop() {
    for (;;) {
      auto accepted = co_await acceptor_.async_accept(use_awaitable);
      auto client = std::make_shared<tcp::socket>(std::move(accepted));
      auto work = serve(client);
      asio::co_spawn(io_, std::move(work), asio::detached);
    }
  }

  asio::awaitable<void> serve(std::shared_ptr<tcp::socket> client) {
    try {
      auto greeting = options_.kind == tunnel_kind::http ? greet_http(*client) : greet_socks(*client);
      const auto wish = co_await std::move(greeting);
      if (!wish) co_return;
      note(*wish);
      auto server = std::make_shared<tcp::socket>(io_);
      const tcp::endpoint place(asio::ip::address_v4::loopback(),
                                options_.upstream != 0 ? options_.upstream : wish->port);
      co_await server->async_connect(place, use_awaitable);
      // The answer and the server's first words in one packet: a client must not lose the latter.
      std::string first = options_.kind == tunnel_kind::http
                              ? "HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n"
                              : "\x05\0\0\x01\x7f\0\0\x01\x10\x7e"s;
      if (options_.server_speaks_first) {
        const auto words = co_await first_words(*server);
        first += words;
      }
      co_await write(*client, std::move(first));
      auto up = pump(client, server);
      auto down = pump(server, client);
      asio::co_spawn(io_, std::move(up), asio::detached);
      asio::co_spawn(io_, std::move(down), asio::detached);
    } catch (const boost::system::system_error&) {  // an end was closed, or the server is not there
    }
  }

  asio::awaitable<std::string> first_words(tcp::socket& server) {
    std::string words(4096, '\0');
    co_await server.async_wait(tcp::socket::wait_read, use_awaitable);
    words.resize(server.read_some(asio::buffer(words)));
    co_return words;
  }

  asio::awaitable<std::optional<target>> greet_http(tcp::socket& client) {
    std::string head;
    auto buffer = asio::dynamic_buffer(head);
    co_await asio::async_read_until(client, buffer, "\r\n\r\n", use_awaitable);
    const auto login = "Proxy-Authorization: Basic " + basic(options_.user + ":" + options_.password) + "\r\n";
    if (!options_.user.empty() && head.find(login) == std::string::npos) {
      std::string refusal = "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n";
      co_await write(client, std::move(refusal));
      co_return std::nullopt;
    }
    const auto place = head.substr(8, head.find(' ', 8) - 8);
    const auto colon = place.rfind(':');
    co_return target{place.substr(0, colon), static_cast<std::uint16_t>(std::stoi(place.substr(colon + 1)))};
  }

  asio::awaitable<std::optional<target>> greet_socks(tcp::socket& client) {
    const auto greeting = co_await read(client, 2);
    const auto methods = co_await read(client, static_cast<std::size_t>(greeting[1]));
    const char method = options_.user.empty() ? 0 : 2;
    if (methods.find(method) == std::string::npos) {
      std::string refusal = "\x05\xff";
      co_await write(client, std::move(refusal));
      co_return std::nullopt;
    }
    std::string choice{5, method};
    co_await write(client, std::move(choice));
    if (method == 2) {
      const bool welcome = co_await check_login(client);
      std::string answer{1, welcome ? '\0' : '\1'};
      co_await write(client, std::move(answer));
      if (!welcome) co_return std::nullopt;
    }
    const auto request = co_await read(client, 4);
    target wish;
    if (request[3] == 3) {
      const auto size = co_await read(client, 1);
      wish.host = co_await read(client, static_cast<unsigned char>(size[0]));
    } else {
      const auto bytes = co_await read(client, request[3] == 1 ? 4 : 16);
      wish.host = request[3] == 1 ? "an IPv4 address" : "an IPv6 address";
    }
    const auto port = co_await read(client, 2);
    wish.port = port_of(port);
    co_return wish;
  }

  asio::awaitable<bool> check_login(tcp::socket& client) {
    const auto head = co_await read(client, 2);
    const auto user = co_await read(client, static_cast<unsigned char>(head[1]));
    const auto size = co_await read(client, 1);
    const auto password = co_await read(client, static_cast<unsigned char>(size[0]));
    co_return user == options_.user&& password == options_.password;
  }

  void note(const target& wish) {
    const std::lock_guard lock(mutex_);
    asked_.push_back(wish.host + ":" + std::to_string(wish.port));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> asked_;
  asio::io_context io_{1};
  tcp::acceptor acceptor_{io_, tcp::endpoint(asio::ip::address_v4::loopback(), port_)};
  std::thread thread_;
};

tunnel_proxy::tunnel_proxy(const tunnel_proxy_options& options) : engine_(std::make_unique<engine>(options)) {}

tunnel_proxy::~tunnel_proxy() = default;

std::uint16_t tunnel_proxy::port() const { return engine_->port_; }

std::string tunnel_proxy::url() const {
  return (engine_->options_.kind == tunnel_kind::http ? "http://127.0.0.1:" : "socks5://127.0.0.1:") +
         std::to_string(port());
}

std::vector<std::string> tunnel_proxy::asked() const { return engine_->asked(); }

}  // namespace compass_fabric::testing
