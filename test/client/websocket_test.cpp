// SPDX-License-Identifier: Apache-2.0
// What is WebSocket's own: the request, compression, frames and their end.
#include <openssl/evp.h>

#include <catch2/generators/catch_generators.hpp>
#include <sstream>

#include "transport_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// RFC 6455, 4.2.2.
std::string accept_key(const std::string& key) {
  const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest, &size, EVP_sha1(), nullptr);
  unsigned char encoded[64];
  const int length = EVP_EncodeBlock(encoded, digest, static_cast<int>(size));
  return {reinterpret_cast<char*>(encoded), static_cast<std::size_t>(length)};
}

/// Reads the upgrade request, accepts it and returns its lines.
std::string accept_upgrade(peer_connection& c) {
  std::string lines, key;
  for (auto line = c.read_line(); !line.empty(); line = c.read_line()) {
    lines += line + "\n";
    if (line.starts_with("Sec-WebSocket-Key: ")) key = line.substr(19);
  }
  c.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
         accept_key(key) + "\r\n\r\n");
  return lines;
}

std::string frame(char opcode, std::string_view payload) {
  std::string bytes{static_cast<char>(0x80 | opcode)};
  if (payload.size() < 126) {
    bytes += static_cast<char>(payload.size());
  } else {
    bytes += static_cast<char>(126);
    bytes += static_cast<char>(payload.size() >> 8);
    bytes += static_cast<char>(payload.size() & 0xff);
  }
  return bytes.append(payload);
}
std::string binary(std::string_view payload) { return frame(2, payload); }
std::string closing(int code, const std::string& reason) {
  return frame(8, std::string{static_cast<char>(code >> 8), static_cast<char>(code & 0xff)} + reason);
}

/// One masked message of the client.
std::string read_message(peer_connection& c) {
  const auto head = c.read(2);
  std::size_t size = static_cast<unsigned char>(head[1]) & 0x7f;
  if (size == 126) {
    const auto length = c.read(2);
    size = static_cast<std::size_t>(static_cast<unsigned char>(length[0])) << 8 | static_cast<unsigned char>(length[1]);
  }
  const auto mask = c.read(4);
  auto payload = c.read(size);
  for (std::size_t i = 0; i < size; ++i) payload[i] = static_cast<char>(payload[i] ^ mask[i % 4]);
  return payload;
}

const std::string info = "INFO {\"server_id\":\"X\",\"headers\":true,\"max_payload\":1048576}\r\n";

void serve_login(peer_connection& c) {
  accept_upgrade(c);
  c.send(binary(info));
  read_message(c);  // CONNECT and PING
  c.send(binary("PONG\r\n"));
  read_message(c);
  c.send(binary("PONG\r\n"));
}

/// The number the client gave the subscription it sends next.
std::string read_sid(peer_connection& c) {
  const auto sub = read_message(c);
  const auto from = sub.rfind(' ') + 1;
  return sub.substr(from, sub.size() - 2 - from);
}

std::string ws_url(std::uint16_t port, const std::string& target = {}) {
  return "ws://127.0.0.1:" + std::to_string(port) + target;
}

}  // namespace

TEST_CASE("C095: path, query and headers go with every attempt", "[client][row17]") {
  std::vector<std::string> requests(3);
  std::vector<byte_peer::script> scripts;
  for (auto& request : requests) {
    scripts.emplace_back([&](peer_connection& c) {
      request = accept_upgrade(c);
      c.close();
    });
  }
  byte_peer peer(scripts);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(ws_url(peer.port(), "/edge/nats?room=7"));
    options.retry_on_initial_connect = true;
    options.websocket.headers = {{"X-Own", "yes"}, {"Authorization", "Bearer t"}};
    int asked = 0;
    options.websocket.make_headers = [&] { return http_fields{{"X-Attempt", std::to_string(++asked)}}; };
    event_log events;
    options.on_event = events.handler();
    const auto executor = co_await asio::this_coro::executor;
    asio::co_spawn(executor, connect(options), [](std::exception_ptr, connection) {});
    co_await until([&] { return events.count(event_kind::connect_failed) >= 3; });
    CHECK_FALSE(says(to_string(events.last(event_kind::connect_failed)), "room"));  // a query may hold secrets
  });
  peer.finish();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    CHECK(requests[i].starts_with("GET /edge/nats?room=7 HTTP/1.1\n"));
    CHECK(says(requests[i], "Host: 127.0.0.1:" + std::to_string(peer.port()) + "\n"));
    CHECK(says(requests[i], "X-Own: yes\n"));
    CHECK(says(requests[i], "Authorization: Bearer t\n"));
    CHECK(says(requests[i], "X-Attempt: " + std::to_string(i + 1) + "\n"));
  }
}

TEST_CASE("C095: announced servers are reached over the same scheme", "[client][row15][row17]") {
  std::string request;
  byte_peer second([&](peer_connection& c) {
    request = accept_upgrade(c);
    c.close();
  });
  byte_peer first([&](peer_connection& c) {
    accept_upgrade(c);
    c.send(binary("INFO {\"headers\":true,\"max_payload\":1000,\"connect_urls\":[\"127.0.0.1:" +
                  std::to_string(second.port()) + "\"]}\r\n"));
    read_message(c);
    c.close();
  });
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(ws_url(first.port(), "/own"));
    options.websocket.path = "/nats";
    event_log events;
    options.on_event = events.handler();
    const auto code = co_await code_of(connect(options));
    CHECK(code);
    co_await until([&] { return events.count(event_kind::connect_failed) >= 2; });
    CHECK(events.last(event_kind::connect_failed).server == ws_url(second.port()));
  });
  second.finish();
  CHECK(request.starts_with("GET /nats HTTP/1.1\n"));
}

TEST_CASE("C093: a close frame does not hide the error before it", "[client][row15]") {
  const auto code = GENERATE(1000, 1008);
  byte_peer peer([&](peer_connection& c) {
    accept_upgrade(c);
    c.send(binary(info));
    read_message(c);
    c.send(binary("-ERR 'Authorization Violation'\r\n") + closing(code, "bye"));
    c.swallow();
  });
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(ws_url(peer.port()));
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::authorization_violation);
  });
}

TEST_CASE("C093: what came before a close frame is delivered, and the frame's text is told", "[client][row15]") {
  byte_peer peer([](peer_connection& c) {
    serve_login(c);
    const auto sid = read_sid(c);
    c.send(binary("MSG last " + sid + " 4\r\nword\r\n") + closing(1011, "out of order"));
    c.swallow();
  });
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(ws_url(peer.port()));
    options.reconnect.enabled = false;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("last");
    const auto m = co_await sub.next(5s);
    CHECK(m.payload() == "word");
    co_await until([&] { return events.has(event_kind::disconnected); });
    CHECK(events.last(event_kind::disconnected).error == errc::websocket_failed);
    CHECK(says(events.last(event_kind::disconnected).text, "1011 out of order"));
  });
}

TEST_CASE("C093: a wrong password is the same error over WebSocket as over TCP", "[client][row15]") {
  reachable_server server(way::ws, "authorization { user: u, password: right }");
  run([&]() -> asio::awaitable<void> {
    auto options = server.options();
    options.user = "u";
    options.password = "wrong";
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::authorization_violation);
  });
}

TEST_CASE("server frames may be cut at every byte", "[client][row15]") {
  constexpr std::size_t cuts = 40;
  for (std::size_t i = 1; i < cuts; ++i) {
    byte_peer peer([&](peer_connection& c) {
      serve_login(c);
      const std::string text = binary("MSG cut " + read_sid(c) + " 300\r\n" + std::string(300, 'x') + "\r\n");
      const std::string bytes = text + frame(9, "beat") + binary("") + text;
      // Every byte of the first header, then spread over all.
      const std::size_t cut = i < 10 ? i : i * bytes.size() / cuts;
      c.send(bytes.substr(0, cut));
      c.send(bytes.substr(cut));
      c.swallow();
    });
    run([&]() -> asio::awaitable<void> {
      const auto options = options_for(ws_url(peer.port()));
      connection nc = co_await connect(options);
      auto sub = nc.subscribe("cut");
      for (int n = 0; n < 2; ++n) {
        const auto m = co_await sub.next(5s);
        CHECK(m.payload() == std::string(300, 'x'));
      }
    });
  }
}

TEST_CASE("a declined upgrade and a peer that does not speak WebSocket are told", "[client][row15]") {
  const auto declined = GENERATE(true, false);
  byte_peer peer([&](peer_connection& c) {
    while (!c.read_line().empty()) {
    }
    c.send(declined ? "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n" : info);
    c.swallow();
  });
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(ws_url(peer.port()));
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::websocket_failed);
    CHECK(says(refused.text, declined ? "403 Forbidden" : "WebSocket"));
  });
}

TEST_CASE("compressed messages arrive as they were sent", "[client][row16]") {
  reachable_server server(GENERATE(way::ws, way::wss));
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = server.options(proxy.port());
    options.websocket.compression = true;
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("dense");
    const auto before = proxy.bytes(direction::to_server);
    for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{100'000}, std::size_t{1'000'000}}) {
      co_await nc.publish("dense", std::string(size, 'z'));
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == std::string(size, 'z'));
    }
    CHECK(proxy.bytes(direction::to_server) - before < 100'000);  // it was compressed
  });
}

TEST_CASE("ws:// is refused where TLS is demanded, and nothing is sent", "[client][row15]") {
  const auto configured = GENERATE(true, false);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("ws://127.0.0.1:1");
    if (configured) {
      options.tls.ca.text = "x";
    } else {
      options.tls.mode = tls_mode::required;
    }
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_required);
    CHECK(says(refused.text, "wss://"));
  });
}

TEST_CASE("fields that could break a request are refused", "[client][row17]") {
  run([]() -> asio::awaitable<void> {
    for (const auto& field :
         http_fields{{"", "x"}, {"a b", "x"}, {"a:", "x"}, {"a", "x\r\nEvil: y"}, {"a", std::string(1, '\0')}}) {
      auto options = options_for("ws://127.0.0.1:1");
      options.websocket.headers = {field};
      const auto code = co_await code_of(connect(options));
      CHECK(code == errc::invalid_option);
    }
    auto options = options_for("ws://127.0.0.1:1");
    options.websocket.path = "nats";
    auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options.websocket.path = "/nats HTTP/1.1\r\nEvil: y";
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}

TEST_CASE("a function for headers that fails costs the attempt, and nothing is sent", "[client][row17]") {
  byte_peer peer({[](peer_connection& c) { c.expect_closed(); }, [](peer_connection& c) { c.expect_closed(); }});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(ws_url(peer.port()));
    options.websocket.make_headers = []() -> http_fields { throw std::runtime_error("no token today"); };
    auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::websocket_failed);
    CHECK(says(refused.text, "no token today"));
    options.websocket.make_headers = [] { return http_fields{{"a", "x\r\nEvil: y"}}; };
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::websocket_failed);
  });
  peer.finish();
}
