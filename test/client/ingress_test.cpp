// SPDX-License-Identifier: Apache-2.0
// Servers behind an ingress: TLS ends at the edge, a path is demanded, and the servers themselves speak plain
// WebSocket.
#include <algorithm>
#include <array>
#include <optional>

#include "support/ingress.hpp"
#include "testing/free_port.hpp"
#include "tls_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

/// Two servers in a cluster, each behind an ingress of its own, whose address it announces.
class edge {
 public:
  edge() {
    for (std::size_t i = 0; i != 2; ++i) ingresses_[i].emplace(ingress_at(ws_ports_[i]));
    for (std::size_t i = 0; i != 2; ++i) servers_[i].emplace(node(i));
  }

  /// Reaches the first one; the second is to be discovered.
  connect_options options() const {
    auto o = options_for(url(0) + "/nats?room=7");
    o.tls.ca.text = files_.ca().pem();
    o.websocket.path = "/nats?room=7";  // for announced servers, which come without one
    o.websocket.headers = {{"X-Own", "yes"}};
    return o;
  }
  std::string place(std::size_t i) const { return "localhost:" + std::to_string(at(i).port()); }
  std::string url(std::size_t i) const { return "wss://" + place(i); }
  const ingress& at(std::size_t i) const { return *ingresses_[i]; }
  void take_down(std::size_t i) { ingresses_[i].reset(); }

 private:
  ingress_options ingress_at(std::uint16_t upstream) const {
    return {.cert = files_.file("server.pem"), .key = files_.file("server.key"), .path = "/nats", .upstream = upstream};
  }

  nats_server_options node(std::size_t i) const {
    nats_server_options o;
    o.jetstream = false;
    o.name = "edge" + std::to_string(i);
    o.cluster.cluster_name = "edge";
    o.cluster.route_port = route_ports_[i];
    for (const auto port : route_ports_) o.cluster.routes.push_back("127.0.0.1:" + std::to_string(port));
    o.extra_config = "\nwebsocket { listen: \"127.0.0.1:" + std::to_string(ws_ports_[i]) +
                     "\", no_tls: true, advertise: \"" + place(i) + "\" }";
    return o;
  }

  tls_files files_;
  std::array<std::uint16_t, 2> ws_ports_{free_port(), free_port()};
  std::array<std::uint16_t, 2> route_ports_{free_port(), free_port()};
  std::array<std::optional<ingress>, 2> ingresses_;
  std::array<std::optional<nats_server>, 2> servers_;
};

asio::awaitable<void> check_echo(connection nc, subscription& sub, const std::string& text) {
  co_await nc.publish("echo", text);
  const auto m = co_await sub.next(5s);
  CHECK(m.payload() == text);
}

asio::awaitable<void> linked(connection nc, std::uint64_t reconnects) {
  co_await until([&] { return nc.stats().reconnects == reconnects && nc.state() == connection_state::connected; });
}

void check_same(const ingress& at) {
  const auto host = "\r\nHost: localhost:" + std::to_string(at.port()) + "\r\n";
  for (const auto& head : at.requests()) {
    CAPTURE(head);
    CHECK(head.starts_with("GET /nats?room=7 HTTP/1.1\r\n"));
    CHECK(head.find(host) != std::string::npos);
    CHECK(head.find("\r\nX-Own: yes\r\n") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("C095: a connection lives behind an ingress with TLS at the edge, over reconnects and announced servers",
          "[client][row15][row17]") {
  edge behind;
  run([&]() -> asio::awaitable<void> {
    auto options = behind.options();
    options.reconnect.initial_delay = 1ms;
    event_log events;
    options.on_event = events.handler();
    auto nc = co_await connect(options);
    auto sub = nc.subscribe("echo");
    co_await check_echo(nc, sub, "first");
    const auto discovered = [&] {
      const auto known = nc.servers();
      return std::ranges::any_of(known,
                                 [&](const known_server& s) { return s.announced && s.address == behind.place(1); });
    };
    co_await until(discovered);
    for (std::uint64_t n = 1; n <= 5; ++n) {
      nc.reconnect();
      co_await linked(nc, n);
      co_await check_echo(nc, sub, "again " + std::to_string(n));
    }
    behind.take_down(events.last(event_kind::reconnected).server.starts_with(behind.url(0)) ? 0 : 1);
    co_await linked(nc, 6);
    co_await check_echo(nc, sub, "moved");
    CHECK_FALSE(events.has(event_kind::server_error));
  });
}

TEST_CASE("C095: every attempt through an ingress carries path, query, host and headers", "[client][row17]") {
  edge behind;
  run([&]() -> asio::awaitable<void> {
    auto options = behind.options();
    options.reconnect.initial_delay = 1ms;
    auto nc = co_await connect(options);
    for (std::uint64_t n = 1; n <= 5; ++n) {
      nc.reconnect();
      co_await linked(nc, n);
    }
  });
  CHECK(behind.at(0).requests().size() + behind.at(1).requests().size() == 6);
  check_same(behind.at(0));
  check_same(behind.at(1));
}

TEST_CASE("C095: a path that an ingress does not serve is told", "[client][row17]") {
  edge behind;
  run([&]() -> asio::awaitable<void> {
    auto options = behind.options();
    options.servers = {behind.url(0) + "/other"};
    const auto refused = co_await refused_connect(options);
    CHECK(refused.code == errc::websocket_failed);
    CAPTURE(refused.text);
    CHECK(refused.text.find("404") != std::string::npos);
  });
}
