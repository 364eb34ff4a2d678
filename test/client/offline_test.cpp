// SPDX-License-Identifier: Apache-2.0
// What publishing does while there is no link.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

// A connection whose link was just lost, and which cannot have another one before `proxy.accept()`.
asio::awaitable<connection> offline(const connect_options& options, fault_proxy& proxy, const event_log& events) {
  connection nc = co_await connect(options);
  proxy.refuse();
  proxy.reset();
  co_await until([&] { return events.has(event_kind::disconnected); });
  co_return nc;
}

}  // namespace

TEST_CASE("C038 drop_oldest keeps the latest publishes of an outage, and reports once", "[client][row80]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect_buffer = 1000;
    options.when_disconnected = offline_policy::drop_oldest;
    event_log events;
    options.on_event = events.handler();
    connection reader = co_await connect(server.url());
    auto sub = reader.subscribe("n");
    co_await reader.flush();
    connection nc = co_await offline(options, proxy, events);
    constexpr std::uint64_t sent = 500;
    for (std::uint64_t i = 0; i < sent; ++i) co_await nc.publish("n", std::to_string(i));
    const auto dropped = nc.stats().dropped_publishes;
    CHECK(dropped > 400);
    CHECK(nc.stats().outbox_bytes < 1020);  // the last control line may pass the limit
    co_await until([&] { return events.has(event_kind::publish_dropped); });
    CHECK(events.last(event_kind::publish_dropped).subject == "n");
    CHECK(events.last(event_kind::publish_dropped).error == errc::outbox_full);
    proxy.accept();
    for (std::uint64_t i = dropped; i < sent; ++i) {
      const auto m = co_await sub.next(10s);
      REQUIRE(m.payload() == std::to_string(i));
    }
    CHECK(events.count(event_kind::publish_dropped) == 1);
    CHECK(nc.stats().dropped_publishes == dropped);
  });
}

TEST_CASE("a request whose publish was dropped ends at once", "[client][row80]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect_buffer = 200;
    options.when_disconnected = offline_policy::drop_oldest;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await offline(options, proxy, events);
    error_code ended;
    bool done = false;
    asio::co_spawn(nc.get_executor(), nc.request("q", "x"), [&](std::exception_ptr e, message) {
      ended = to_error_code(e);
      done = true;
    });
    co_await until([&] { return nc.stats().pending_requests == 1; });
    for (int i = 0; i < 20; ++i) co_await nc.publish("n", "0123456789");
    co_await until([&] { return done; });
    CHECK(ended == errc::outbox_full);
  });
}

TEST_CASE("C038 the policy fail refuses publishes at once, and their size is readable otherwise",
          "[client][row78][row80]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.when_disconnected = offline_policy::fail;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await offline(options, proxy, events);
    const auto refused = co_await code_of(nc.publish("n", "x"));
    CHECK(refused == errc::connection_lost);
    CHECK(nc.try_publish("n", "x") == errc::connection_lost);
    CHECK(nc.stats().outbox_bytes == 0);
    publish_options control;
    control.beyond_limit = true;
    CHECK_FALSE(nc.try_publish("n", "x", control));
    CHECK(nc.stats().outbox_bytes == std::string_view("PUB n 1\r\nx\r\n").size());
  });
}

TEST_CASE("what still waits for a link when the connection ends is counted and announced", "[client][row80]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.fail_requests_on_disconnect = false;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await offline(options, proxy, events);
    for (int i = 0; i < 10; ++i) co_await nc.publish("lost", "payload");
    error_code asked;
    const auto ask = [&]() -> asio::awaitable<void> { asked = co_await code_of(nc.request("lost", "?")); };
    asio::co_spawn(nc.get_executor(), ask(), asio::detached);
    co_await until([&] { return nc.stats().pending_requests == 1; });
    nc.close();
    co_await nc.closed();
    co_await until([&] { return events.has(event_kind::closed); });
    CHECK(asked == errc::connection_closed);  // the caller knows: not counted here
    CHECK(nc.stats().dropped_publishes == 10);
    CHECK(events.count(event_kind::publish_dropped) == 1);
    CHECK(events.last(event_kind::publish_dropped).error == errc::connection_closed);
    CHECK(events.last(event_kind::publish_dropped).subject == "lost");
  });
}

TEST_CASE("a buffered request too large for the next server ends at once", "[client][row80]") {
  nats_server roomy;
  nats_server_options small;
  small.max_payload = 65536;
  nats_server strict(small);
  fault_proxy proxy(roomy.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.fail_requests_on_disconnect = false;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await offline(options, proxy, events);
    const std::string large(500'000, 'x');
    request_options patient;
    patient.timeout = 60s;  // longer than the test may take
    error_code ended;
    const auto ask = [&]() -> asio::awaitable<void> { ended = co_await code_of(nc.request("data", large, patient)); };
    asio::co_spawn(nc.get_executor(), ask(), asio::detached);
    co_await until([&] { return nc.stats().outbox_bytes > large.size(); });
    proxy.set_upstream(strict.port());
    proxy.accept();
    co_await until([&] { return static_cast<bool>(ended); });
    CHECK(ended == errc::max_payload_exceeded);
  });
}
