// SPDX-License-Identifier: Apache-2.0
// A link that is cut after every single byte of a conversation over WebSocket, plain and over TLS, in both directions:
// the TLS handshake, the request for the upgrade and its answer, INFO, CONNECT, subscriptions and messages.
#include <catch2/generators/catch_generators.hpp>

#include "transport_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

// Short, so that every byte of everything can be a cut; compressed frames have the same form.
constexpr int messages = 3;
std::string body(int i) { return "message " + std::to_string(i) + std::string(static_cast<std::size_t>(i) * 7, 'x'); }

// What a conversation came to.
struct outcome {
  error_code connect;
  bool cut_later = false;  // after connecting
  int corrupted = 0;
  std::array<bool, messages> arrived{};
};

// Says everything until everything has come back, over as many links as it takes.
asio::awaitable<outcome> converse(connect_options options) {
  outcome result;
  event_log events;
  options.on_event = events.handler();
  auto attempt = connect(options);
  connection nc;
  try {
    nc = co_await std::move(attempt);
  } catch (const system_error& e) {
    result.connect = e.code();
    co_return result;
  }
  auto sub = nc.subscribe("echo.*", [&](const message_view& m) {
    const auto number = m.subject.substr(5);
    const bool known = number.size() == 1 && number[0] >= '0' && number[0] < '0' + messages;
    if (known && m.payload == body(number[0] - '0')) {
      result.arrived[static_cast<std::size_t>(number[0] - '0')] = true;
    } else {
      ++result.corrupted;
    }
  });
  const auto all = [&] { return result.arrived == std::array<bool, messages>{true, true, true}; };
  while (!all()) {
    for (int i = 0; i != messages; ++i) co_await nc.publish("echo." + std::to_string(i), body(i));
    const auto code = co_await code_of(nc.flush(5s));
    if (code && code != errc::connection_lost) throw system_error(code, "flush");
  }
  result.cut_later = events.has(event_kind::disconnected);
  nc.close();
  const auto reason = co_await nc.closed();
  if (reason) throw system_error(reason, "closed");
  co_return result;
}

bool clear(error_code code) {
  return code == errc::tls_failed || code == asio::error::eof || code == asio::error::connection_reset ||
         code == asio::error::broken_pipe || code == errc::websocket_failed || code == errc::connection_lost;
}

void cut_after_every_byte(way over, direction way_of_cut, bool compression) {
  reachable_server server(over);
  fault_proxy proxy(server.port());
  auto options = server.options(proxy.port());
  options.websocket.compression = compression;
  options.reconnect.initial_delay = 0ms;
  options.reconnect.jitter = 0ms;
  const auto undisturbed = run(converse(options));
  REQUIRE_FALSE(undisturbed.connect);
  REQUIRE_FALSE(undisturbed.cut_later);
  REQUIRE(eventually_blocking([&] { return proxy.open_connections() == 0; }));  // all is counted then
  const auto size = proxy.bytes(way_of_cut);
  REQUIRE(size > 400);
  std::size_t refused = 0;
  std::size_t healed = 0;
  for (std::uint64_t n = 0; n <= size; ++n) {
    CAPTURE(n, size, over, compression, static_cast<int>(way_of_cut));
    proxy.cut_after(way_of_cut, n);
    const auto result = run(converse(options), 10s);
    CAPTURE(result.connect.message());
    const bool told = !result.connect || clear(result.connect);
    CHECK(told);
    CHECK(result.corrupted == 0);
    refused += result.connect.failed();
    healed += result.cut_later;
  }
  CHECK(refused > 100);
  CHECK(healed > 50);
}

}  // namespace

TEST_CASE("a WebSocket link may be cut after every byte, in both directions", "[client][row15][cuts]") {
  const auto way_of_cut = GENERATE(direction::to_client, direction::to_server);
  const bool compression = GENERATE(false, true);
  cut_after_every_byte(way::ws, way_of_cut, compression);
}

TEST_CASE("a WebSocket link over TLS may be cut after every byte, in both directions", "[client][row15][cuts]") {
  const auto way_of_cut = GENERATE(direction::to_client, direction::to_server);
  cut_after_every_byte(way::wss, way_of_cut, true);
}
