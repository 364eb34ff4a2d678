// SPDX-License-Identifier: Apache-2.0
// When a link is encrypted, that it never is not when it should be, and what runs over it.
#include <catch2/generators/catch_generators.hpp>

#include "testing/free_port.hpp"
#include "tls_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

const std::string plain_info = R"(INFO {"server_id":"X","headers":true,"max_payload":1048576})";
const std::string demanding_info = R"(INFO {"server_id":"X","headers":true,"max_payload":1048576,"tls_required":true})";

}  // namespace

TEST_CASE("TLS first reaches a server that expects it", "[client][row5]") {
  const tls_files files;
  nats_server server(files.server("handshake_first: true"));
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.tls.mode = tls_mode::handshake_first;
    co_await connect_and_echo(options);
    options.servers = {"nats://localhost:" + std::to_string(server.port())};
    co_await connect_and_echo(options);
  });
}

TEST_CASE("TLS first against a server that speaks first fails at once", "[client][row5]") {
  const tls_files files;
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.tls.mode = tls_mode::handshake_first;
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_failed);
    CHECK(says(refused.text, "TLS handshake"));
  });
}

TEST_CASE("an upgrade offered to a server that expects TLS first ends at the deadline and says why", "[client][row5]") {
  const tls_files files;
  nats_server server(files.server("handshake_first: true"));
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(server.port(), files);
    options.connect_timeout = 300ms;
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::timeout);
    CHECK(says(refused.text, "expects TLS first"));
  });
}

TEST_CASE("a server without TLS is told nothing when TLS is demanded", "[client][row4]") {
  const auto by_address = GENERATE(true, false);
  byte_peer peer([](peer_connection& c) {
    c.send(plain_info + "\r\n");
    c.expect_closed();
  });
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(by_address ? tls_url(peer.port(), "127.0.0.1") : peer.url());
    if (!by_address) options.tls.mode = tls_mode::required;
    options.user = "ann";
    options.password = "secret";
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_required);
    CHECK(says(refused.text, "offers no TLS"));
  });
  peer.finish();
}

TEST_CASE("a server that demands TLS is not used when TLS is disabled", "[client][row4]") {
  const tls_files files;
  nats_server server(files.server());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.tls.mode = tls_mode::disabled;
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::tls_required);
    CHECK(says(refused.text, "demands TLS"));
  });
}

TEST_CASE("bytes in plain text between INFO and the handshake end the attempt", "[client][row4]") {
  const auto* const injected = GENERATE("PING\r\n", "-ERR 'x'\r\n", "\x16\x03\x03");
  byte_peer peer([&](peer_connection& c) {
    c.send(demanding_info + "\r\n" + injected);
    c.expect_closed();
  });
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(peer.url());
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::protocol_error);
    CHECK(says(refused.text, "between INFO and TLS"));
  });
  peer.finish();
}

TEST_CASE("C007 a server that stops in the TLS handshake costs one deadline", "[client][row5]") {
  const tls_files files;
  nats_server good(files.server());
  byte_peer peer([&](peer_connection& c) {
    c.send(demanding_info + "\r\n");
    c.swallow();
  });
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(peer.port(), files);
    options.servers.push_back(tls_url(good.port()));
    options.connect_timeout = 1s;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await until([&] { return events.has(event_kind::connect_failed); });
    CHECK(events.last(event_kind::connect_failed).error == errc::timeout);
  });
}

TEST_CASE("no announced server gets the credentials in plain text once TLS was demanded", "[client][row4]") {
  const auto by_address = GENERATE(true, false);
  const tls_files files;
  auto node = files.server();
  node.extra_config = "authorization { user: ann, password: other }";  // refused when the link is encrypted already
  nats_server encrypted(node);
  byte_peer thief([](peer_connection& c) {
    c.send(plain_info + "\r\n");
    c.expect_closed();
  });
  fault_proxy proxy(encrypted.port());
  const auto announce = [&](std::string_view bytes) {  // the INFO comes in one piece, and encrypted ones follow
    const std::string start = "INFO {";
    if (!bytes.starts_with(start)) return std::string(bytes);
    const std::string place = (by_address ? "nats://127.0.0.1:" : "127.0.0.1:") + std::to_string(thief.port());
    return start + "\"connect_urls\":[\"" + place + "\"]," + std::string(bytes.substr(start.size()));
  };
  proxy.rewrite(direction::to_client, announce);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(by_address ? tls_url(proxy.port()) : proxy.url());
    options.tls.verify = [](const certificate_info&) { return true; };
    options.user = "ann";
    options.password = "secret";
    event_log events;
    options.on_event = events.handler();
    const auto refused = co_await code_of(connect(options));
    CHECK(refused);
    co_await until([&] { return events.count(event_kind::connect_failed) == 2; });
    const auto failures = events.of(event_kind::connect_failed);
    CHECK(failures[0].error == errc::authorization_violation);
    CHECK(failures[1].error == errc::tls_required);
  });
  thief.finish();
}

TEST_CASE("once encrypted, a connection never goes back to plain text", "[client][row4]") {
  const tls_files files;
  nats_server encrypted(files.server());
  nats_server plain({.jetstream = false});
  fault_proxy proxy(encrypted.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());  // nothing but the server's word asks for TLS
    options.tls.verify = [](const certificate_info&) { return true; };
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.set_upstream(plain.port());
    proxy.reset();
    co_await until([&] { return events.count(event_kind::connect_failed) >= 2; });
    CHECK(events.last(event_kind::connect_failed).error == errc::tls_required);
    CHECK_FALSE(events.has(event_kind::reconnected));
    proxy.set_upstream(encrypted.port());
    co_await nc.flush(10s);
    CHECK(events.has(event_kind::reconnected));
  });
}

TEST_CASE("certificates are read again at every attempt", "[client][row8]") {
  const tls_files files;
  const test_authority next("next CA");
  nats_server server(files.mutual());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(tls_url(server.port()));
    const auto first = files.ca().issue({.common_name = "first"});
    options.tls.ca.file = files.put("trusted.pem", files.ca().pem());
    options.tls.certificate.file = files.put("me.pem", first.certificate);
    options.tls.key.file = files.put("me.key", first.key);
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("kept");
    // Everything is replaced by what the next authority issued, and the server with it.
    server.stop();
    files.serve(next.issue(tls_files::localhost()));
    files.put("ca.pem", next.pem());
    server.restart();
    co_await until([&] { return events.has(event_kind::connect_failed); });
    const auto second = next.issue({.common_name = "second"});
    files.put("trusted.pem", next.pem());
    files.put("me.pem", second.certificate);
    files.put("me.key", second.key);
    co_await until([&] { return events.has(event_kind::reconnected); });
    co_await nc.publish("kept", "after the rotation");
    const auto m = co_await sub.next(5s);
    CHECK(m.payload() == "after the rotation");
  });
}

TEST_CASE("C019: discovered addresses are checked against the name they were announced under", "[client][row9]") {
  const tls_files files;
  files.serve({.names = {"localhost"}});  // no address in it
  const std::vector<std::uint16_t> ports{free_port(), free_port()};
  std::vector<std::string> routes;
  for (const auto port : ports) routes.push_back("127.0.0.1:" + std::to_string(port));
  auto options_of = [&](std::size_t i) {
    auto o = files.server();
    o.name = "n" + std::to_string(i);
    o.cluster = {.cluster_name = "c", .route_port = ports[i], .routes = routes};
    return o;
  };
  nats_server a(options_of(0));
  nats_server b(options_of(1));
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(a.port(), files);
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await until([&] { return nc.info().connect_urls.size() >= 2; });
    a.kill();
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(says(events.last(event_kind::reconnected).server, "tls://127.0.0.1:" + std::to_string(b.port())));
  });
}

TEST_CASE("order and content survive TLS, however the network cuts it", "[client][row4]") {
  const tls_files files;
  nats_server server(files.server());
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    const auto options = tls_options_for(proxy.port(), files);
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("cut");
    proxy.rechunk(direction::to_client, 1, 5);
    proxy.rechunk(direction::to_server, 1, 5);
    for (std::size_t i = 0; i < 200; ++i) {
      const std::string payload(i, static_cast<char>('a' + i % 26));
      co_await nc.publish("cut", payload);
    }
    for (std::size_t i = 0; i < 200; ++i) {
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == std::string(i, static_cast<char>('a' + i % 26)));
    }
  });
}

TEST_CASE("large messages and a peer that stops reading for a while lose nothing over TLS", "[client][row4]") {
  const tls_files files;
  nats_server server(files.server());
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    const auto options = tls_options_for(proxy.port(), files);
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("large");
    co_await nc.flush(5s);
    proxy.pause(direction::to_server);
    constexpr std::size_t count = 20;
    auto send = [&]() -> asio::awaitable<void> {
      for (std::size_t i = 0; i < count; ++i) {
        const std::string payload(1'000'000 - i, static_cast<char>('a' + i));
        co_await nc.publish("large", payload);
      }
    };
    bool sent = false;
    const auto executor = co_await asio::this_coro::executor;
    asio::co_spawn(executor, send(), [&](std::exception_ptr) { sent = true; });
    co_await until([&] { return nc.stats().outbox_bytes > 256 * 1024; });
    CHECK_FALSE(sent);  // it waits for room
    proxy.resume(direction::to_server);
    for (std::size_t i = 0; i < count; ++i) {
      const auto m = co_await sub.next(10s);
      CHECK(m.payload() == std::string(1'000'000 - i, static_cast<char>('a' + i)));
    }
    CHECK(sent);
  });
}

TEST_CASE("row 23: a TLS write that makes no progress ends the link", "[client][row23]") {
  const tls_files files;
  nats_server server(files.server());
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = tls_options_for(proxy.port(), files);
    options.write_deadline = 300ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.pause(direction::to_server);
    const std::string payload(100'000, 'x');
    while (!events.has(event_kind::disconnected)) {
      nc.try_publish("stuck", payload);
      co_await eventually([&] { return events.has(event_kind::disconnected); }, 2ms);
    }
    CHECK(events.last(event_kind::disconnected).error == errc::write_timeout);
  });
}
