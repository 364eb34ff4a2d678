// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/fault_proxy.hpp>
#include "fabric/live.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

using namespace fabric_live;

namespace {

template <class T>
concept can_publish = requires(event_fabric events, const T& what) { events.publish(what); };

}  // namespace

TEST_CASE("[000-11] publishing takes a reference and nothing else", "[fabric]") {
  STATIC_CHECK(can_publish<event_ref>);
  STATIC_CHECK(!can_publish<std::string>);
  STATIC_CHECK(!can_publish<fabric::comms_subject>);
  STATIC_CHECK(!can_publish<fabric::comms_wildcard_subject>);
}

TEST_CASE("[000-41][000-57] the stored event is the reference under its subject with its message id",
          "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    const auto posted = ref("tenant-a", kind::message_posted, "42");
    const auto ack = co_await events.publish(posted);
    CHECK(ack.stream == "COMPASS_COMMS");
    CHECK(ack.sequence == 1);
    CHECK(!ack.duplicate);
    jetstream::context js(nc);
    const auto stored = co_await js.get_message("COMPASS_COMMS", ack.sequence);
    CHECK(stored.subject == "compass.tenant-a.comms.message_posted");
    CHECK(stored.payload == R"({"tenant":"tenant-a","kind":"message_posted","row_id":"42"})");
    CHECK(stored.headers().get("Nats-Msg-Id") == message_id(posted));
  });
}

TEST_CASE("[000-20] an invalid reference is refused before a byte leaves", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    const auto before = nc.stats().out_bytes;
    for (const auto tenant : {"a.b", "*", "", "a b", "a\r\nPUB x"}) {
      const auto bad = ref(tenant, kind::message_posted, "1");
      auto attempt = events.publish(bad);
      const auto outcome = co_await compass_fabric::as_result(std::move(attempt));
      CHECK(outcome.error() == fabric::errc::invalid_token);
    }
    const auto unknown = ref("a", static_cast<kind>(7), "1");
    auto attempt = events.publish(unknown);
    const auto outcome = co_await compass_fabric::as_result(std::move(attempt));
    CHECK(outcome.error() == fabric::errc::unknown_kind);
    CHECK(nc.stats().out_bytes == before);
  });
}

TEST_CASE("[000-53][000-58] two Servers that publish one change store one event", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto one = co_await compass_fabric::connect(server.url());
    auto two = co_await compass_fabric::connect(server.url());
    event_fabric first(one), second(two);
    co_await first.provision();
    auto change = ref("t", kind::topic_upserted, "1");
    const auto stored = co_await first.publish(change);
    const auto again = co_await second.publish(change);
    CHECK(!stored.duplicate);
    CHECK(again.duplicate);
    CHECK(again.sequence == stored.sequence);
    change.revision = "2";
    const auto revised = co_await second.publish(change);
    CHECK(!revised.duplicate);
  });
}

TEST_CASE("[000-58] a publish whose ack is lost is retried and stored once", "[fabric][live]") {
  nats_server server;
  compass_fabric::testing::fault_proxy proxy(server.port());
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(proxy.url());
    auto direct = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    jetstream::context js(direct);
    proxy.blackhole(compass_fabric::testing::direction::to_client);
    const auto change = ref("t", kind::topic_upserted, "1");
    auto publishing = boost::asio::co_spawn(nc.get_executor(), events.publish(change), boost::asio::use_awaitable);
    const auto stored = [&]() -> awaitable<std::uint64_t> {
      const auto info = co_await js.stream_info("COMPASS_COMMS");
      co_return info.state.messages;
    };
    // The publish starts when it is awaited. The blackhole ends with the second try: by then it has the first ack.
    const auto before = nc.stats().out_messages;
    auto release = [&]() -> awaitable<void> {
      co_await until([&] { return nc.stats().out_messages >= before + 2; });
      proxy.resume(compass_fabric::testing::direction::to_client);
    };
    boost::asio::co_spawn(nc.get_executor(), release(), boost::asio::detached);
    const auto ack = co_await std::move(publishing);
    CHECK(ack.duplicate);
    const auto kept = co_await stored();
    CHECK(kept == 1);
  });
}

TEST_CASE("[000-21] a tenant never seen needs no request to the JetStream API", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    auto observer = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    tally handled;
    auto sub = events.subscribe_kind(kind::message_posted, std::ref(handled));
    co_await sub.ready();
    co_await until([&] { return sub.stats().delivered == 0; });
    tap requests(observer, "$JS.API.STREAM.>");
    tap creations(observer, "$JS.API.CONSUMER.CREATE.>");
    co_await observer.flush();
    const auto change = ref("never-seen", kind::message_posted, "1");
    co_await events.publish(change);
    co_await until([&] { return handled.runs("never-seen/1") == 1; });
    co_await observer.flush();
    CHECK(requests.size() == 0);
    CHECK(creations.size() == 0);
  });
}

TEST_CASE("[000-09][000-27] what lies outside the comms grammar is not stored", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    const fabric::client_subject client("session-1");
    const fabric::routing_binding_subject binding("comms");
    co_await nc.publish(client.str(), "x");
    co_await nc.publish(binding.str(), "x");
    co_await nc.publish(fabric::dlq_subject, "x");
    co_await nc.publish(fabric::runner_events_subject, "x");
    co_await nc.flush();
    jetstream::context js(nc);
    const auto info = co_await js.stream_info("COMPASS_COMMS");
    CHECK(info.state.messages == 0);
    // The reason why the runner id "comms" is refused: the stream would take its command.
    co_await nc.publish("compass.runner.comms.cmd", "x");
    // A core publish is stored some time after the server has taken it.
    const compass_fabric::testing::deadline end(compass_fabric::testing::default_wait);
    std::uint64_t captured = 0;
    while (captured == 0 && !end.passed()) {
      const auto later = co_await js.stream_info("COMPASS_COMMS");
      captured = later.state.messages;
    }
    CHECK(captured == 1);
  });
}

TEST_CASE("many references are published with one outcome each, a bad one refused alone", "[fabric][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await compass_fabric::connect(server.url());
    event_fabric events(nc);
    co_await events.provision();
    std::vector<event_ref> refs;
    for (int row = 0; row != 500; ++row) refs.push_back(ref("t", kind::message_posted, std::to_string(row % 400)));
    refs[7].tenant = "*";
    const auto outcomes = co_await events.publish_all(refs, 16);
    CHECK(outcomes.size() == 500);
    std::size_t stored = 0, duplicates = 0;
    for (const auto& outcome : outcomes) {
      if (!outcome.error) ++(outcome.ack.duplicate ? duplicates : stored);
    }
    CHECK(stored == 400);  // row 7 comes again as row 407
    CHECK(duplicates == 99);
    CHECK(outcomes[7].error == fabric::errc::invalid_token);
    CHECK(outcomes[7].description.starts_with("tenant: wildcard"));
  });
}
