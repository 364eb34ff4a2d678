// SPDX-License-Identifier: Apache-2.0
// Many clients after one restart, and peers that answer with too little or too much.
#include <malloc.h>

#include <array>
#include <catch2/generators/catch_generators.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

constexpr std::size_t clients = 200;

// When the attempts of one client failed.
struct attempts {
  connection nc;
  std::vector<clock::time_point> failed;
};

milliseconds first_pause(const attempts& a) {
  return std::chrono::duration_cast<milliseconds>(a.failed[1] - a.failed[0]);
}

}  // namespace

TEST_CASE("two hundred clients return after a restart spread out as the jitter says, each by one connection",
          "[client][row40]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(server.port());
  run(
      [&]() -> asio::awaitable<void> {
        std::array<attempts, clients> all;
        std::size_t reconnected = 0;
        for (auto& a : all) {
          auto options = options_for(proxy.url());
          options.reconnect.initial_delay = 100ms;
          options.reconnect.max_delay = 100ms;
          options.reconnect.jitter = 1000ms;
          options.on_event = [&](const connection_event& e) {
            if (e.kind == event_kind::connect_failed) a.failed.push_back(clock::now());
            if (e.kind == event_kind::reconnected) ++reconnected;
          };
          a.nc = co_await connect(options);
        }
        proxy.refuse();
        server.kill();
        proxy.reset();
        co_await until(
            [&] { return std::all_of(all.begin(), all.end(), [](const auto& a) { return a.failed.size() > 1; }); });
        std::vector<milliseconds> pauses;
        for (const auto& a : all) pauses.push_back(first_pause(a));
        std::sort(pauses.begin(), pauses.end());
        CHECK(pauses.front() >= 99ms);
        CHECK(pauses[clients / 2] >= 300ms);                            // 600 ms are expected
        CHECK(pauses[clients * 3 / 4] - pauses[clients / 4] >= 200ms);  // 500 ms are expected
        server.restart();
        const auto before = proxy.connections();
        proxy.accept();
        co_await until([&] { return reconnected == clients; });
        CHECK(proxy.connections() - before == clients);
      },
      60s);
}

TEST_CASE("peers that say too little or too much cost one deadline each, and no memory", "[client][row43]") {
  const auto kind = GENERATE(0, 1, 2, 3);
  const std::string huge_info =
      "INFO {\"server_name\":\"" + std::string(3 * 1024 * 1024, 'n') + "\",\"max_payload\":1000}\r\n";
  const std::string some_line(64 * 1024, 'x');
  const byte_peer::script stubborn = [&](peer_connection& c) {
    try {
      if (kind == 1) c.send(huge_info.substr(0, 100));
      if (kind == 2)
        for (;;) c.send(some_line);
      if (kind == 3) c.send(huge_info);
      c.hold();
    } catch (const std::runtime_error&) {  // the client had enough
    }
  };
  byte_peer peer(std::vector<byte_peer::script>(12, stubborn));
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    options.connect_timeout = 150ms;
    options.retry_on_initial_connect = true;
    event_log events;
    options.on_event = events.handler();
    const auto executor = co_await asio::this_coro::executor;
    bool ended = false;
    asio::co_spawn(executor, connect(options), [&](std::exception_ptr, connection) { ended = true; });
    co_await until([&] { return events.count(event_kind::connect_failed) >= 3; });
    const auto before = mallinfo2().uordblks;
    co_await until([&] { return events.count(event_kind::connect_failed) >= 10; });
    CHECK(mallinfo2().uordblks < before + 1024 * 1024);
    CHECK_FALSE(ended);
    for (const auto& e : events.of(event_kind::connect_failed)) {
      const bool expected = e.error == errc::timeout || e.error == errc::protocol_error;
      CHECK(expected);
    }
  });
}
