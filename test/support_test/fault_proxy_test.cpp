// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/fault_proxy.hpp>

#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/run.hpp>
#include "support/byte_peer.hpp"
#include "support_test/tcp_client.hpp"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <string>
#include <thread>

using namespace compass_fabric::testing;

namespace {

// Sends back what it gets, until the client closes.
void echo(peer_connection& c) {
  for (;;) c.send(c.read(1));
}

// A proxy before an echo server; the server's script ends by failing when its client is gone, which is as it should be.
struct proxied_echo {
  explicit proxied_echo(std::size_t connections = 1)
      : server(std::vector<byte_peer::script>(connections,
                                              [](peer_connection& c) {
                                                try {
                                                  echo(c);
                                                } catch (const std::runtime_error&) {  // the client is gone
                                                }
                                              })),
        proxy(server.port()) {}
  byte_peer server;
  fault_proxy proxy;
};

asio::awaitable<void> round_trip(asio::ip::tcp::socket& socket, std::string_view text) {
  co_await send(socket, text);
  co_await expect(socket, text);
}

}  // namespace

TEST_CASE("a proxy forwards both ways and counts", "[support]") {
  proxied_echo net;
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await round_trip(socket, "hello");
  });
  CHECK(net.proxy.bytes(direction::to_server) == 5);
  CHECK(net.proxy.bytes(direction::to_client) == 5);
  CHECK(net.proxy.connections() == 1);
  CHECK(eventually_blocking([&] { return net.proxy.open_connections() == 0; }));
}

TEST_CASE("a proxy rechunks without changing the bytes", "[support]") {
  byte_peer server([](peer_connection& c) {
    c.send(std::string(1000, 'x') + "end");
    c.hold();
  });
  fault_proxy proxy(server.port());
  proxy.rechunk(direction::to_client, 1, 3);
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(proxy.port());
    co_await expect(socket, std::string(1000, 'x') + "end");
  });
}

TEST_CASE("a proxy's delay holds bytes back", "[support]") {
  proxied_echo net;
  net.proxy.delay(direction::to_client, milliseconds{40});
  const auto begin = clock::now();
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await round_trip(socket, "x");
  });
  CHECK(clock::now() - begin >= milliseconds{40});
}

TEST_CASE("a paused proxy loses nothing", "[support]") {
  proxied_echo net;
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await round_trip(socket, "a");
    net.proxy.pause(direction::to_client);
    co_await send(socket, "b");
    co_await until([&] { return net.proxy.bytes(direction::to_server) == 2; });
    CHECK(net.proxy.bytes(direction::to_client) == 1);
    net.proxy.resume(direction::to_client);
    co_await expect(socket, "b");
  });
}

TEST_CASE("a blackhole drops bytes and keeps the connection", "[support]") {
  proxied_echo net;
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    net.proxy.blackhole(direction::to_client);
    co_await send(socket, "lost");
    co_await until([&] { return net.proxy.bytes(direction::to_server) == 4; });
    net.proxy.rewrite(direction::to_client, [](std::string_view bytes) { return std::string(bytes); });
    co_await send(socket, "!");
    co_await until([&] { return net.proxy.bytes(direction::to_server) == 5; });
    CHECK(net.proxy.bytes(direction::to_client) == 0);
  });
}

TEST_CASE("a proxy cuts after exactly so many bytes", "[support]") {
  proxied_echo net(2);
  net.proxy.cut_after(direction::to_client, 3);
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await send(socket, "abc");
    co_await expect(socket, "abc");
    co_await expect_end(socket);
    auto next = co_await connect_to(net.proxy.port());
    co_await round_trip(next, "defg");
  });
}

TEST_CASE("a proxy resets connections", "[support]") {
  proxied_echo net;
  const auto body = [&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await round_trip(socket, "x");
    net.proxy.reset();
    co_await receive_some(socket);
  };
  CHECK_THROWS_AS(run(body), boost::system::system_error);
}

TEST_CASE("a half-closed direction ends while the other goes on", "[support]") {
  proxied_echo net;
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await round_trip(socket, "x");
    net.proxy.half_close(direction::to_client);
    co_await expect_end(socket);
    co_await send(socket, "y");
    co_await until([&] { return net.proxy.bytes(direction::to_server) == 2; });
  });
}

TEST_CASE("a proxy refuses connections and accepts them again on the same port", "[support]") {
  proxied_echo net;
  net.proxy.refuse();
  CHECK_THROWS_AS(run(connect_to(net.proxy.port())), boost::system::system_error);
  net.proxy.accept();
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(net.proxy.port());
    co_await round_trip(socket, "x");
  });
}

TEST_CASE("a proxy rewrites whole lines", "[support]") {
  byte_peer server([](peer_connection& c) {
    c.send_in_pieces("INFO {}\r\nPONG\r\nMSG\r\n");
    c.hold();
  });
  fault_proxy proxy(server.port());
  proxy.rewrite(direction::to_client,
                by_line([](std::string_view line) { return line == "PONG\r\n" ? std::string() : std::string(line); }));
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(proxy.port());
    co_await expect(socket, "INFO {}\r\nMSG\r\n");
  });
}
