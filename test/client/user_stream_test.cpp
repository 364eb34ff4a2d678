// SPDX-License-Identifier: Apache-2.0
// Transports of the user's own.
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <sstream>

#include "transport_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

/// What a user writes to run over any Asio socket.
template <class Socket>
class socket_stream final : public byte_stream {
 public:
  explicit socket_stream(Socket socket) : socket_(std::move(socket)) {}

  asio::awaitable<std::size_t> read_some(std::span<char> room) override {
    const auto buffer = asio::buffer(room.data(), room.size());
    const auto count = co_await socket_.async_read_some(buffer, asio::use_awaitable);
    co_return count;
  }
  asio::awaitable<std::size_t> write_some(std::span<const char> bytes) override {
    const auto buffer = asio::buffer(bytes.data(), bytes.size());
    const auto count = co_await socket_.async_write_some(buffer, asio::use_awaitable);
    co_return count;
  }
  void close() noexcept override {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  Socket socket_;
};

using local_socket = asio::local::stream_protocol::socket;
using tcp_socket = asio::ip::tcp::socket;

/// A factory for TCP streams to 127.0.0.1, which counts its calls.
stream_factory tcp_streams(std::shared_ptr<std::vector<std::string>> calls) {
  return [calls](dial_target target) -> asio::awaitable<std::unique_ptr<byte_stream>> {
    calls->push_back(target.host + ":" + std::to_string(target.port));
    tcp_socket socket(co_await asio::this_coro::executor);
    const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), target.port);
    co_await socket.async_connect(place, asio::use_awaitable);
    co_return std::make_unique<socket_stream<tcp_socket>>(std::move(socket));
  };
}

/// A server of a few words in the same process: it serves one connection and one message.
asio::awaitable<void> serve_in_process(local_socket peer) {
  std::string received;
  auto say = [&](std::string_view text) -> asio::awaitable<void> {
    const auto bytes = asio::buffer(text.data(), text.size());
    co_await asio::async_write(peer, bytes, asio::use_awaitable);
  };
  auto hear = [&](std::string_view end) -> asio::awaitable<void> {
    std::string buffer(1000, '\0');
    while (received.find(end) == std::string::npos) {
      const auto room = asio::buffer(buffer);
      const auto count = co_await peer.async_read_some(room, asio::use_awaitable);
      received.append(buffer, 0, count);
    }
    received.erase(0, received.find(end) + end.size());
  };
  co_await say("INFO {\"server_id\":\"inside\",\"headers\":true,\"max_payload\":1048576}\r\n");
  for (int i = 0; i < 3; ++i) {  // login, subscriptions, flush
    co_await hear("PING\r\n");
    co_await say("PONG\r\n");
  }
  co_await hear("PUB word 5\r\nhello\r\n");
  co_await hear("PING\r\n");
  co_await say("PONG\r\n");
  co_await hear("nothing more comes");
}

}  // namespace

TEST_CASE("a stream in the same process carries a connection", "[client][row19][row20]") {
  run([]() -> asio::awaitable<void> {
    const auto executor = co_await asio::this_coro::executor;
    auto options = options_for("nats://inside:1");
    options.make_stream = [](dial_target target) -> asio::awaitable<std::unique_ptr<byte_stream>> {
      REQUIRE(target.host == "inside");
      const auto here = co_await asio::this_coro::executor;
      local_socket mine(here), theirs(here);
      asio::local::connect_pair(mine, theirs);
      auto server = serve_in_process(std::move(theirs));
      asio::co_spawn(here, std::move(server), [](std::exception_ptr) {});
      co_return std::make_unique<socket_stream<local_socket>>(std::move(mine));
    };
    connection nc = co_await connect(options);
    CHECK(nc.info().server_id == "inside");
    co_await nc.flush(5s);
    co_await nc.publish("word", "hello");
    co_await nc.flush(5s);
    nc.close();
    co_await nc.closed();
  });
}

TEST_CASE("every layer runs over a stream of the user's own, and each attempt makes one", "[client][row19]") {
  const auto w = GENERATE(way::tcp, way::tls, way::ws, way::wss);
  CAPTURE(w);
  reachable_server server(w);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = server.options(proxy.port());
    const auto calls = std::make_shared<std::vector<std::string>>();
    options.make_stream = tcp_streams(calls);
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("own");
    co_await nc.flush(5s);
    proxy.reset();
    co_await until([&] { return events.has(event_kind::reconnected); });
    const std::string large(900'000, 'x');
    co_await nc.publish("own", large);
    const auto m = co_await sub.next(10s);
    CHECK(m.payload() == large);
    CHECK(calls->size() >= 2);
    CHECK(calls->front() == "localhost:" + std::to_string(proxy.port()));
  });
}

TEST_CASE("a factory that throws, gives nothing or does not end fails the attempt", "[client][row19]") {
  run([]() -> asio::awaitable<void> {
    auto options = options_for("nats://inside:1");
    options.make_stream = [](dial_target) -> asio::awaitable<std::unique_ptr<byte_stream>> {
      throw std::runtime_error("no channel today");
    };
    auto refused = co_await refused_connect(options);
    CHECK(refused.code);
    CHECK(refused.text == "no channel today");
    options.make_stream = [](dial_target) -> asio::awaitable<std::unique_ptr<byte_stream>> { co_return nullptr; };
    refused = co_await refused_connect(options);
    CHECK(refused.code == asio::error::not_connected);
    options.make_stream = [](dial_target) -> asio::awaitable<std::unique_ptr<byte_stream>> {
      asio::steady_timer forever(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      co_await forever.async_wait(asio::use_awaitable);
      co_return nullptr;
    };
    options.connect_timeout = 200ms;
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::timeout);
    options.proxy.url = "http://proxy:1";
    const auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}

namespace {

struct fault {
  bool reading = false;
  bool writing = false;
};

/// A stream that goes wrong when told to.
class faulty_stream final : public byte_stream {
 public:
  faulty_stream(tcp_socket socket, const fault& wrong) : below_(std::move(socket)), wrong_(wrong) {}
  asio::awaitable<std::size_t> read_some(std::span<char> room) override {
    const auto count = co_await below_.read_some(room);
    if (wrong_.reading) throw std::runtime_error("the modem hung up");
    co_return count;
  }
  asio::awaitable<std::size_t> write_some(std::span<const char> bytes) override {
    if (wrong_.writing) co_return 0;
    const auto count = co_await below_.write_some(bytes);
    co_return count;
  }
  void close() noexcept override { below_.close(); }

 private:
  socket_stream<tcp_socket> below_;
  const fault& wrong_;
};

stream_factory faulty_streams(const fault& wrong) {
  return [&wrong](dial_target target) -> asio::awaitable<std::unique_ptr<byte_stream>> {
    tcp_socket socket(co_await asio::this_coro::executor);
    const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), target.port);
    co_await socket.async_connect(place, asio::use_awaitable);
    co_return std::make_unique<faulty_stream>(std::move(socket), wrong);
  };
}

}  // namespace

TEST_CASE("what a stream throws is told, and one that writes nothing is lost", "[client][row19]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    fault wrong;
    event_log events;
    auto options = options_for(server.url());
    options.on_event = events.handler();
    options.make_stream = faulty_streams(wrong);
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("word");
    co_await nc.flush();

    std::size_t times = 0;
    const auto goes_wrong = [&](bool& kind, std::string_view text) -> asio::awaitable<void> {
      kind = true;
      co_await nc.publish("word", "x");
      ++times;
      co_await until([&] { return events.count(event_kind::disconnected) == times; });
      CHECK(events.last(event_kind::disconnected).text == text);
      kind = false;
      co_await until([&] { return nc.stats().reconnects == times; });
    };
    co_await goes_wrong(wrong.reading, "the modem hung up");
    co_await goes_wrong(wrong.writing, "write_some wrote nothing");
    co_await nc.flush();
  });
}
