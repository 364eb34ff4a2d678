// SPDX-License-Identifier: Apache-2.0
#include <catch2/generators/catch_generators.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

const std::string small_info =
    R"(INFO {"server_id":"X","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576} )";

// Connects through `peer` and flushes once.
asio::awaitable<void> connect_and_flush(connect_options options) {
  connection nc = co_await connect(options);
  co_await nc.flush(5s);
}

}  // namespace

TEST_CASE("C002 INFO may be cut at any byte", "[client]") {
  const std::string info = small_info + "\r\n";
  for (std::size_t cut = 1; cut < info.size(); ++cut) {
    byte_peer peer([&](peer_connection& c) {
      c.send(info.substr(0, cut));
      c.send(info.substr(cut));
      c.expect_line_starting("CONNECT ");
      c.expect("PING\r\n");
      c.send("PONG\r\n");
      c.expect("PING\r\n");
      c.send("PONG\r\n");
      c.expect("PING\r\n");
      c.send("PONG\r\n");
      c.hold();
    });
    run(connect_and_flush(options_for(peer.url())));
    peer.finish();
  }
}

TEST_CASE("C002 what follows INFO in the same segment is not lost", "[client]") {
  byte_peer peer([&](peer_connection& c) {
    c.send(small_info + "\r\nPING\r\n+OK\r\n");
    c.expect_line_starting("CONNECT ");
    c.expect("PING\r\nPONG\r\n");
    c.send("PONG\r\n");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.hold();
  });
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(peer.url());
    connection nc = co_await connect(options);
    CHECK(nc.state() == connection_state::connected);
  });
  peer.finish();
}

TEST_CASE("C002 an INFO with sixty addresses connects", "[client]") {
  std::string info = R"(INFO {"server_id":"X","max_payload":1048576,"connect_urls":[)";
  for (int i = 1; i <= 60; ++i)
    info += (i > 1 ? "," : "") + std::string("\"127.0.0.2:") + std::to_string(20000 + i) + "\"";
  info += "]}\r\n";
  byte_peer peer([&](peer_connection& c) {
    c.send(info);
    c.expect_line_starting("CONNECT ");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.hold();
  });
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(peer.url());
    connection nc = co_await connect(options);
    CHECK(nc.info().connect_urls.size() == 60);
  });
}

TEST_CASE("C007 a peer that says too little costs one deadline, then the next server is used", "[client]") {
  nats_server server;
  const auto script = GENERATE(0, 1, 2, 3, 4);
  byte_peer peer([&](peer_connection& c) {
    if (script == 1) c.send(small_info.substr(0, 30));
    if (script == 2) c.send(small_info + "\r\n");
    if (script == 3) c.send(std::string(3 * 1024 * 1024, 'x'));
    if (script == 4) c.close();
    if (script != 4) c.hold();
  });
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.servers.push_back(server.url());
    options.connect_timeout = 300ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    CHECK(nc.state() == connection_state::connected);
    co_await until([&] { return events.has(event_kind::connect_failed); });
    const auto failed = events.last(event_kind::connect_failed);
    CHECK(failed.server == peer.url());
    if (script < 3) CHECK(failed.error == errc::timeout);
    if (script == 3) CHECK(failed.error == errc::protocol_error);
  });
}

TEST_CASE("C081 every kind of failed attempt is retried and reported", "[client]") {
  nats_server server;
  std::vector<byte_peer::script> scripts;
  scripts.emplace_back([](peer_connection& c) { c.close(); });
  scripts.emplace_back([](peer_connection& c) { c.reset(); });
  scripts.emplace_back([](peer_connection& c) {
    c.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    c.swallow();
  });
  scripts.emplace_back([](peer_connection& c) {
    c.send(small_info + "\r\n");
    c.close();
  });
  scripts.emplace_back([](peer_connection& c) {
    c.send(small_info + "\r\n-ERR 'maximum connections exceeded'\r\n");
    c.close();
  });
  byte_peer peer(scripts);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.retry_on_initial_connect = true;
    options.servers.push_back("nats://no-such-host.invalid:4222");
    event_log events;
    options.on_event = events.handler();
    const auto executor = co_await asio::this_coro::executor;
    std::optional<error_code> ended;
    asio::co_spawn(executor, connect(options), [&](std::exception_ptr e, connection) { ended = to_error_code(e); });
    co_await until([&] { return events.count(event_kind::connect_failed) >= 11; });
    CHECK_FALSE(ended.has_value());  // still trying
  });
  peer.finish();
}

TEST_CASE("a closed port fails the first connect with the server named", "[client]") {
  run([]() -> asio::awaitable<void> {
    const auto options = options_for("nats://127.0.0.1:1");
    const auto text = co_await text_of(connect(options));
    CHECK(text.find("127.0.0.1:1") != std::string::npos);
    const auto code = co_await code_of(connect(options));
    CHECK(code == asio::error::connection_refused);
  });
}

TEST_CASE("user, password and token are sent, and refusals are told apart", "[client]") {
  nats_server_options with_user;
  with_user.user = "ann";
  with_user.password = "secret";
  nats_server server(with_user);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.user = "ann";
    options.password = "secret";
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
    options.password = "wrong";
    const auto code = co_await code_of(connect(options));
    CHECK(code == errc::authorization_violation);
    const auto text = co_await text_of(connect(options));
    CHECK(text.find("wrong") == std::string::npos);  // secrets are never printed
    options.servers = {"nats://ann:secret@127.0.0.1:" + std::to_string(server.port())};
    connection by_url = co_await connect(options);
    co_await by_url.flush(5s);
  });
  nats_server_options with_token;
  with_token.token = "t0ken";
  nats_server token_server(with_token);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(token_server.url());
    options.token = "t0ken";
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
  });
}

TEST_CASE("options out of range are refused before anything is sent", "[client]") {
  run([]() -> asio::awaitable<void> {
    connect_options options;
    options.servers.clear();
    auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options.servers = {"nats://bad host"};
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_url);
    options.servers = {"127.0.0.1:4222"};
    options.connect_timeout = 0ms;
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options = {};
    options.inbox_prefix = "a b";
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}
