// SPDX-License-Identifier: Apache-2.0
// One link: how it comes to be, what it restores, and what is known of its server.
#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C009: a sidecar that accepts while the server is down delays the first connect, no more",
          "[client][row43]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(1);  // nobody listens there: accepted, then closed
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.retry_on_initial_connect = true;
    event_log events;
    options.on_event = events.handler();
    const auto executor = co_await asio::this_coro::executor;
    std::optional<connection> made;
    asio::co_spawn(executor, connect(options), [&](std::exception_ptr e, connection nc) {
      if (!e) made = nc;
    });
    co_await until([&] { return events.count(event_kind::connect_failed) >= 5; });
    CHECK_FALSE(made);
    for (const auto& e : events.of(event_kind::connect_failed)) CHECK(e.error);
    proxy.set_upstream(server.port());
    co_await until([&] { return made.has_value(); });
    co_await made->flush(10s);
  });
}

TEST_CASE("the server tells who it is and who we are; no-echo and a name are honoured",
          "[client][row50][row51][row52][row53][row56]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.name = "orders-7";
    options.echo = false;
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("own");
    co_await nc.publish("own", "x");
    const auto time = co_await nc.rtt(10s);
    CHECK(time.count() > 0);
    CHECK_FALSE(sub.try_next());
    CHECK(nc.info().server_name == "test");
    CHECK_FALSE(nc.info().server_id.empty());
    CHECK(nc.info().client_id > 0);
    CHECK(nc.info().client_ip == "127.0.0.1");
    CHECK(nc.info().version_at_least(2, 9));
    CHECK_FALSE(nc.info().version_at_least(99));
    CHECK(server.monitor("/connz").find("\"name\": \"orders-7\"") != std::string::npos);
  });
}

TEST_CASE("publishing fails fast while disconnected when nothing may be buffered", "[client][row58]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect_buffer = 0;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    for (int i = 0; i < 3; ++i) {
      const auto code = co_await code_of(nc.publish("x", "y"));
      CHECK(code == errc::connection_lost);
    }
    proxy.accept();
    co_await nc.flush(10s);
    co_await nc.publish("x", "y");
  });
}

TEST_CASE("C021: a subscription denied while the link was down ends with the reason, the others go on",
          "[client][row55]") {
  const auto config = [](const std::string& denied) {
    return "authorization { users: [ { user: u, password: p, permissions: { subscribe: { deny: [" + denied +
           "] } } } ] }";
  };
  nats_server_options restricted;
  restricted.jetstream = false;
  restricted.extra_config = config("\"nothing\"");
  nats_server server(restricted);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.user = "u";
    options.password = "p";
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    std::vector<subscription> subs;
    for (int i = 0; i < 20; ++i) subs.push_back(nc.subscribe("s." + std::to_string(i)));
    co_await nc.flush(10s);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    server.reload(config("\"s.7\""));
    co_await until([&] { return server.log().find("Reloaded server configuration") != std::string::npos; });
    subs.push_back(nc.subscribe("s.new"));
    proxy.accept();
    co_await until([&] { return events.has(event_kind::permission_denied); });
    co_await nc.flush(10s);
    for (std::size_t i = 0; i < subs.size(); ++i) {
      const std::string subject(subs[i].subject());
      if (i == 7) {
        const auto code = co_await code_of(subs[i].next(10s));
        CHECK(code == errc::permission_violation);
        continue;
      }
      co_await nc.publish(subject, subject);
      const auto m = co_await subs[i].next(10s);
      CHECK(m.payload() == subject);
    }
  });
}
