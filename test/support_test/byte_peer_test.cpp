// SPDX-License-Identifier: Apache-2.0
#include "support/byte_peer.hpp"

#include <compass_fabric/testing/run.hpp>
#include "support_test/tcp_client.hpp"

#include <boost/asio/error.hpp>
#include <catch2/catch_test_macros.hpp>

#include <stdexcept>

using namespace compass_fabric::testing;
using tcp_socket = boost::asio::ip::tcp::socket;

TEST_CASE("a peer plays its script", "[support]") {
  byte_peer peer([](peer_connection& c) {
    c.send("INFO {}\r\n");
    CHECK(c.expect_line_starting("CONNECT ") == "CONNECT {}");
    c.expect("PING\r\n");
    c.send_in_pieces("PONG\r\n");
    c.expect_closed();
  });
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(peer.port());
    co_await expect(socket, "INFO {}\r\n");
    co_await send(socket, "CONNECT {}\r\nPING\r\n");
    co_await expect(socket, "PONG\r\n");
  });
  peer.finish();
  CHECK(peer.played() == 1);
}

TEST_CASE("a peer tells what came instead of what it expected", "[support]") {
  byte_peer peer([](peer_connection& c) { c.expect("PING\r\n"); });
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(peer.port());
    co_await send(socket, "PONG\r\n");
    co_await receive_some(socket);
  });
  CHECK_THROWS_AS(peer.finish(), std::runtime_error);
}

TEST_CASE("a peer has a script for each connection and refuses further ones", "[support]") {
  byte_peer peer({[](peer_connection& c) { c.send("1"); }, [](peer_connection& c) { c.send("2"); }});
  run([&]() -> asio::awaitable<void> {
    for (const auto* expected : {"1", "2"}) {
      auto socket = co_await connect_to(peer.port());
      co_await expect(socket, expected);
      co_await expect_end(socket);
    }
  });
  peer.finish();
  CHECK_THROWS_AS(run(connect_to(peer.port())), boost::system::system_error);
}

TEST_CASE("a peer holds a silent connection until the test ends", "[support]") {
  byte_peer peer([](peer_connection& c) { c.hold(); });
  auto body = [&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(peer.port());
    co_await receive_some(socket);
  };
  CHECK_THROWS_AS(run(body, milliseconds{30}), std::runtime_error);
  peer.finish();
}

TEST_CASE("a peer resets a connection", "[support]") {
  byte_peer peer([](peer_connection& c) { c.reset(); });
  auto body = [&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(peer.port());
    co_await receive_some(socket);
  };
  CHECK_THROWS_AS(run(body), boost::system::system_error);
  peer.finish();
}

TEST_CASE("a connection that never comes is an error of the peer", "[support]") {
  byte_peer peer([](peer_connection&) {});
  CHECK_THROWS_AS(peer.finish(), std::runtime_error);
}
