// SPDX-License-Identifier: Apache-2.0
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace fabric_live;

TEST_CASE("[000-03] a command reaches only the Runner it names", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    const fabric::runner_command_subject one("runner-1"), two("runner-2");
    tap first(nc, one.str()), second(nc, two.str());
    co_await nc.publish(one.str(), "start");
    co_await nc.flush();
    CHECK(first.size() == 1);
    CHECK(second.size() == 0);
  });
}

TEST_CASE("[000-04] each Runner event reaches exactly one Server", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto runner = co_await compass_fabric::connect(server.url());
    compass_fabric::subscribe_options members;
    members.queue = fabric::runner_events_queue;
    std::vector<connection> servers;
    std::vector<compass_fabric::subscription> subs;
    std::vector<std::size_t> counts(3);
    std::vector<int> seen(10'000);
    for (auto& count : counts) {
      servers.push_back(co_await compass_fabric::connect(server.url()));
      subs.push_back(servers.back().subscribe(
          fabric::runner_events_subject,
          [&](const compass_fabric::message_view& m) {
            ++count;
            ++seen[std::stoul(std::string(m.payload))];
          },
          members));
      co_await servers.back().flush();
    }
    for (std::size_t n = 0; n != seen.size(); ++n)
      co_await runner.publish(fabric::runner_events_subject, std::to_string(n));
    co_await runner.flush();
    co_await until([&] { return counts[0] + counts[1] + counts[2] == seen.size(); });
    CHECK(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    for (const auto count : counts) CHECK(count > 0);
  });
}

TEST_CASE("[000-05] a client message reaches only the holder of that session", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    const fabric::client_subject mine("session-1"), other("session-2");
    tap holder(nc, mine.str()), stranger(nc, other.str());
    co_await nc.publish(mine.str(), "frame");
    co_await nc.flush();
    CHECK(holder.size() == 1);
    CHECK(stranger.size() == 0);
  });
}

TEST_CASE("[000-06] a binding change reaches every Server", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto publisher = co_await compass_fabric::connect(server.url());
    const fabric::routing_binding_wildcard_subject all;
    std::vector<connection> servers;
    std::vector<std::unique_ptr<tap>> taps;
    for (int n = 0; n != 3; ++n) {
      servers.push_back(co_await compass_fabric::connect(server.url()));
      taps.push_back(std::make_unique<tap>(servers.back(), all.filter()));
      co_await servers.back().flush();
    }
    for (const auto tenant : {"a", "b", "comms"}) {
      const fabric::routing_binding_subject subject(tenant);
      co_await publisher.publish(subject.str(), "{}");
    }
    for (const auto& t : taps) co_await until([&] { return t->size() == 3; });
  });
}

TEST_CASE("[000-08] a dead letter is an ordinary message on its constant subject", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    tap letters(nc, "compass.dlq.comms");
    co_await nc.publish(fabric::dlq_subject, "x");
    co_await nc.flush();
    CHECK(letters.size() == 1);
  });
}
