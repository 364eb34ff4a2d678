// SPDX-License-Identifier: Apache-2.0
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace fabric_live;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("[000-46][000-47][000-48][000-49][000-50][000-51][000-52][000-53] the stream is as specified",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    const auto report = co_await events.provision();
    CHECK(!report.fell_back);
    jetstream::context js(nc);
    const auto streams = co_await js.list_streams();
    REQUIRE(streams.size() == 1);
    const auto& config = streams[0].config;
    CHECK(config.name == "COMPASS_COMMS");
    CHECK(config.subjects == std::vector<std::string>{"compass.*.comms.*"});
    CHECK(config.retention == jetstream::retention_policy::limits);
    CHECK(config.storage == jetstream::storage_type::file);
    CHECK(config.replicas == 1);
    CHECK(config.discard == jetstream::discard_policy::old_messages);
    CHECK(config.max_age == 24h);
    CHECK(config.duplicate_window == 2min);
  });
}

namespace {

awaitable<void> provision_and_count(connection nc, std::size_t& done) {
  event_fabric events(nc);
  co_await events.provision();
  ++done;
}

awaitable<std::chrono::nanoseconds> provisioned_age(connection nc, fabric::config settings) {
  event_fabric events(nc, settings);
  const auto report = co_await events.provision();
  co_return report.stream.config.max_age.value();
}

}  // namespace

TEST_CASE("[000-45] eight Servers provision at once, and a changed value is applied", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    std::vector<connection> links;
    for (int n = 0; n != 8; ++n) {
      auto nc = co_await compass_fabric::connect(server.url());
      links.push_back(nc);
    }
    std::size_t done = 0;
    for (auto& nc : links) {
      auto provisioning = provision_and_count(nc, done);
      boost::asio::co_spawn(nc.get_executor(), std::move(provisioning), boost::asio::detached);
    }
    co_await until([&] { return done == 8; });
    tap updates(links[1], "$JS.API.STREAM.UPDATE.>");
    co_await links[1].flush();
    fabric::config changed;
    changed.max_age = 12h;
    for (auto& nc : links) {
      const auto age = co_await provisioned_age(nc, changed);
      CHECK(age == 12h);
    }
    co_await links[1].flush();
    CHECK(updates.size() == 1);
  });
}

TEST_CASE("[000-49][000-63] events and positions survive a restart of the server", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 20);
    tally before;
    {
      auto sub = events.subscribe("t", kind::message_posted, std::ref(before));
      co_await sub.ready();
      co_await until([&] { return before.rows() == 20; });
      co_await sub.stop();
    }
    co_await publish_rows(events, "u", kind::message_posted, 5);
    server.restart();
    co_await until([&] { return nc.stats().reconnects == 1; });
    jetstream::context js(nc);
    const auto info = co_await js.stream_info("COMPASS_COMMS");
    CHECK(info.state.messages == 25);
    tally after, other;
    auto again = events.subscribe("t", kind::message_posted, std::ref(after));
    auto rest = events.subscribe("u", kind::message_posted, std::ref(other));
    co_await again.ready();
    co_await rest.ready();
    co_await until([&] { return other.rows() == 5; });
    CHECK(after.total() == 0);
  });
}

TEST_CASE("[000-48] acks remove nothing: a second consumer reads everything", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 10);
    tally first, second;
    auto concrete = events.subscribe("t", kind::message_posted, std::ref(first));
    co_await until([&] { return first.rows() == 10; });
    auto wildcard = events.subscribe_kind(kind::message_posted, std::ref(second));
    co_await until([&] { return second.rows() == 10; });
    CHECK(first.total() == 10);
  });
}

TEST_CASE("[000-51] at a limit the oldest event goes and no publish fails", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    fabric::config small;
    small.max_messages = 5;
    event_fabric events(nc, small);
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 20);
    jetstream::context js(nc);
    const auto info = co_await js.stream_info("COMPASS_COMMS");
    CHECK(info.state.messages == 5);
    CHECK(info.state.first_sequence == 16);
    CHECK(info.state.last_sequence == 20);
  });
}

TEST_CASE("[000-52] an event is gone after its age", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    fabric::config brief;
    brief.max_age = 1s;
    brief.duplicate_window = 1s;
    event_fabric events(nc, brief);
    co_await events.provision();
    co_await publish_rows(events, "t", kind::message_posted, 3);
    jetstream::context js(nc);
    std::uint64_t messages = 3;
    for (const compass_fabric::testing::deadline end(10s); messages != 0 && !end.passed();) {
      co_await pause(50ms);
      const auto info = co_await js.stream_info("COMPASS_COMMS");
      messages = info.state.messages;
    }
    CHECK(messages == 0);
  });
}

TEST_CASE("[D15] verify refuses with every mismatch named and changes nothing", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    std::string refusal;
    try {
      co_await events.provision(fabric::topology_mode::verify);
    } catch (const compass_fabric::system_error& e) {
      CHECK(e.code() == fabric::errc::topology_mismatch);
      refusal = e.what();
    }
    CHECK_THAT(refusal, ContainsSubstring("stream COMPASS_COMMS: missing"));
    co_await events.provision(fabric::topology_mode::verify_or_apply);
    co_await events.provision(fabric::topology_mode::verify);
    fabric::config other;
    other.max_age = 1h;
    other.duplicate_window = 1min;
    event_fabric differing(nc, other);
    for (const auto mode : {fabric::topology_mode::verify, fabric::topology_mode::verify_or_apply}) {
      refusal.clear();
      try {
        co_await differing.provision(mode);
      } catch (const compass_fabric::system_error& e) {
        refusal = e.what();
      }
      CHECK_THAT(refusal, ContainsSubstring("max_age") && ContainsSubstring("duplicate_window"));
    }
    jetstream::context js(nc);
    const auto info = co_await js.stream_info("COMPASS_COMMS");
    CHECK(info.config.max_age == 24h);
  });
}
