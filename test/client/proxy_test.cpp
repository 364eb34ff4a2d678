// SPDX-License-Identifier: Apache-2.0
// Servers behind a proxy, and streams of the user's own.
#include <catch2/generators/catch_generators.hpp>
#include <sstream>

#include "support/tunnel_proxy.hpp"
#include "transport_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

tunnel_kind any_kind() { return GENERATE(tunnel_kind::http, tunnel_kind::socks5); }

nats_server_options quick() {
  nats_server_options o;
  o.jetstream = false;
  return o;
}

}  // namespace

TEST_CASE("C095: servers are reached through a proxy, which resolves their names, also after a loss",
          "[client][row18]") {
  nats_server server(quick());
  fault_proxy faults(server.port());
  tunnel_proxy_options wish;
  wish.kind = any_kind();
  wish.upstream = faults.port();
  tunnel_proxy proxy(wish);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://nats.test:4222");
    options.proxy.url = proxy.url();
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("through");
    co_await nc.flush(5s);
    faults.reset();
    co_await until([&] { return events.has(event_kind::reconnected); });
    co_await nc.publish("through", "the proxy");
    const auto m = co_await sub.next(5s);
    CHECK(m.payload() == "the proxy");
    CHECK(proxy.asked() == std::vector<std::string>(2, "nats.test:4222"));
  });
}

TEST_CASE("TLS and WebSocket run through a proxy to the server", "[client][row18]") {
  const auto w = GENERATE(way::tls, way::ws, way::wss);
  CAPTURE(w);
  // The first words of these servers are the client's to wait for, so the proxy must not wait for them.
  reachable_server server(w);
  tunnel_proxy_options wish;
  wish.kind = tunnel_kind::http;
  wish.server_speaks_first = w == way::tls;
  tunnel_proxy proxy(wish);
  run([&]() -> asio::awaitable<void> {
    auto options = server.options();
    options.proxy.url = proxy.url();
    co_await connect_and_echo(options);
    CHECK(proxy.asked() == std::vector<std::string>{"localhost:" + std::to_string(server.port())});
  });
}

TEST_CASE("a proxy's login is given, in the address or by options, and its refusal told", "[client][row18]") {
  nats_server server(quick());
  tunnel_proxy_options wish;
  wish.kind = any_kind();
  wish.user = "ann";
  wish.password = "secret";
  tunnel_proxy proxy(wish);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.proxy.url = proxy.url();
    auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::proxy_failed);
    CHECK(says(refused.text, wish.kind == tunnel_kind::http ? "407" : "proxy"));
    options.proxy.user = "ann";
    options.proxy.password = "wrong";
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::proxy_failed);
    CHECK_FALSE(says(refused.text, "wrong"));
    options.proxy.password = "secret";
    co_await connect_and_echo(options);
    options.proxy = {};
    options.proxy.url = proxy.url().insert(proxy.url().find("://") + 3, "ann:secret@");
    co_await connect_and_echo(options);
  });
}

TEST_CASE("a proxy that is not there, says nothing or nonsense ends the attempt", "[client][row18]") {
  byte_peer silent([](peer_connection& c) { c.swallow(); });
  byte_peer nonsense([](peer_connection& c) {
    c.send("SSH-2.0-nothing\r\n");
    c.swallow();
  });
  const auto kind = any_kind();
  const std::string scheme = kind == tunnel_kind::http ? "http://127.0.0.1:" : "socks5://127.0.0.1:";
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://nats.test:4222");
    options.proxy.url = scheme + "1";
    auto refused = co_await refused_connect(options);
    CHECK(refused.code == asio::error::connection_refused);
    CHECK(says(refused.text, "proxy"));
    options.proxy.url = scheme + std::to_string(nonsense.port());
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::proxy_failed);
    options.proxy.url = scheme + std::to_string(silent.port());
    options.connect_timeout = 300ms;
    refused = co_await refused_connect(options);
    CHECK(refused.code == errc::timeout);
    options.proxy.url = "proxy:3128";
    const auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}
