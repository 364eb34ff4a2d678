// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/nats_server.hpp>

#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/run.hpp>
#include "support_test/tcp_client.hpp"
#include "testing/http_get.hpp"
#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>

#include <stdexcept>
#include <utility>

using namespace compass_fabric::testing;

namespace {

// Says PING after CONNECT and returns what the server answers; the connection stays open in `socket`.
asio::awaitable<std::string> greet(asio::ip::tcp::socket& socket, std::string connect = "{}") {
  std::string text;
  while (!text.ends_with("\r\n")) text += co_await receive_some(socket);
  const std::string hello = "CONNECT " + connect + "\r\nPING\r\n";
  co_await send(socket, hello);
  co_return co_await receive_some(socket);
}

asio::awaitable<void> greet_and_expect_pong(asio::ip::tcp::socket& socket, std::string connect) {
  const auto text = co_await greet(socket, std::move(connect));
  CHECK(text.starts_with("PONG\r\n"));
}

std::string answer(const nats_server& server, const std::string& connect = "{}") {
  return run([&]() -> asio::awaitable<std::string> {
    auto socket = co_await connect_to(server.port());
    co_return co_await greet(socket, connect);
  });
}

}  // namespace

TEST_CASE("[000-56] tests run at the sync interval of production", "[support]") {
  nats_server server;
  const auto varz = server.monitor("/varz");
  CHECK(json_int(varz, "/jetstream/config/sync_interval") == 100'000'000);
}

TEST_CASE("a server speaks NATS on its port and is of the tested version", "[support]") {
  nats_server server;
  CHECK(answer(server, R"({"verbose":false})") == "PONG\r\n");
  CHECK(json_string(server.monitor("/varz"), "/version").value_or("").starts_with("2.15."));
}

TEST_CASE("a server keeps its port and its store across a kill and a restart", "[support]") {
  nats_server server;
  const auto port = server.port();
  const auto id = json_string(server.monitor("/varz"), "/server_id");
  server.kill();
  CHECK_FALSE(server.running());
  CHECK_THROWS_AS(answer(server), boost::system::system_error);
  server.restart();
  CHECK(server.port() == port);
  CHECK(json_string(server.monitor("/varz"), "/server_id") != id);
  CHECK(server.log().find("Server is ready") != std::string::npos);
}

TEST_CASE("a stopped server has said good-bye", "[support]") {
  nats_server server;
  server.stop();
  CHECK_FALSE(server.running());
  CHECK(server.log().find("Server Exiting") != std::string::npos);
}

TEST_CASE("a paused server holds its connections and says nothing", "[support]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(server.port());
    co_await greet_and_expect_pong(socket, R"({"verbose":false})");
    server.pause();
    // The server pings on its own, first after a second or two, which may have been before it stood still.
    if (socket.available() != 0) co_await receive_some(socket);
    co_await send(socket, "PING\r\n");
    const bool answered = co_await eventually([&] { return socket.available() != 0; }, milliseconds{50});
    CHECK_FALSE(answered);
    server.resume();
    co_await expect_pong(socket);
  });
}

TEST_CASE("a server wants the credentials it was given", "[support]") {
  nats_server_options options;
  options.user = "ann";
  options.password = "secret";
  nats_server server(options);
  CHECK(answer(server, R"({"verbose":false,"user":"ann","pass":"secret"})") == "PONG\r\n");
  CHECK(answer(server, R"({"verbose":false,"user":"ann","pass":"wrong"})").starts_with("-ERR 'Authorization"));
}

TEST_CASE("a lame-duck server says so", "[support]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto socket = co_await connect_to(server.port());
    co_await greet_and_expect_pong(socket, R"({"verbose":false,"protocol":1})");
    server.lame_duck();
    std::string text;
    while (text.find("\"ldm\":true") == std::string::npos) text += co_await receive_some(socket);
  });
}

TEST_CASE("a server takes a changed configuration", "[support]") {
  nats_server server;
  server.reload("max_payload: 2048\n");
  CHECK(eventually_blocking([&] { return json_int(server.monitor("/varz"), "/max_payload") == 2048; }));
}

TEST_CASE("a server that cannot start fails the test with its log", "[support]") {
  nats_server_options options;
  options.extra_config = "no_such_option: true\n";
  CHECK_THROWS_AS(nats_server(options), std::runtime_error);
}
