// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/monitoring.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

monitoring::http_target target_of(const nats_server& server) {
  monitoring::http_target target;
  target.port = server.http_port();
  return target;
}

}  // namespace

TEST_CASE("the monitoring pages of a server are read over HTTP", "[client][row106]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.name = "seen by the monitor";
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("some.subject");
    co_await nc.publish("some.subject", "12345");
    co_await nc.flush();
    const auto target = target_of(server);

    const auto varz = co_await monitoring::read_varz(target);
    CHECK(varz.server_id == nc.info().server_id);
    CHECK(varz.version == nc.info().version);
    CHECK(varz.connections == 1);
    CHECK(varz.in_msgs >= 1);
    CHECK(varz.max_payload == nc.info().max_payload);
    CHECK(varz.mem > 0);
    CHECK(varz.sync_interval > 0);
    CHECK(varz.raw.find("\"server_id\"") != std::string::npos);

    monitoring::connz_query with_subjects;
    with_subjects.subscriptions = true;
    const auto connz = co_await monitoring::read_connz(target, with_subjects);
    REQUIRE(connz.connections.size() == 1);
    CHECK(connz.connections[0].cid == nc.info().client_id);
    CHECK(connz.connections[0].name == "seen by the monitor");
    CHECK(connz.connections[0].in_bytes == 5);
    CHECK(connz.connections[0].subscriptions_list == std::vector<std::string>{"some.subject"});

    const auto jsz = co_await monitoring::read_jsz(target);
    CHECK_FALSE(jsz.disabled);
    CHECK(jsz.streams == 0);
    CHECK(jsz.max_storage > 0);

    const auto health = co_await monitoring::read_healthz(target);
    CHECK(health.healthy());
    CHECK(health.status_code == 200);
  });
}

TEST_CASE("what is no monitoring page is told apart from a silent port", "[client][row106]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto wrong = target_of(server);
    wrong.base_path = "/not/here";
    const auto absent = co_await text_of(monitoring::read_varz(wrong));
    CHECK(absent.find("404") != std::string::npos);
    monitoring::http_target silent;
    silent.port = server.port();  // speaks, but no HTTP
    const auto garbage = co_await code_of(monitoring::read_varz(silent));
    CHECK(garbage);
    byte_peer mute([](peer_connection& c) { c.hold(); });
    silent.port = mute.port();
    const auto late = co_await code_of(monitoring::read_healthz(silent, 50ms));
    CHECK(late == errc::timeout);
  });
}

TEST_CASE("a system account reads the pages of every server it reaches", "[client][row106]") {
  nats_server_options with_system;
  with_system.extra_config =
      "accounts {\n"
      "  SYS { users: [{user: sys, password: pw}] }\n"
      "  APP { users: [{user: app, password: pw}], jetstream: enabled }\n"
      "}\n"
      "system_account: SYS\n";
  nats_server server(with_system);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.user = "sys";
    options.password = "pw";
    connection nc = co_await connect(options);
    monitoring::ping_options one;
    one.servers = 1;
    const auto varz = co_await monitoring::ping_varz(nc, one);
    REQUIRE(varz.size() == 1);
    CHECK(varz[0].server_id == nc.info().server_id);
    CHECK(varz[0].server_name == "test");
    CHECK(varz[0].data.version == nc.info().version);
    const auto connz = co_await monitoring::ping_connz(nc, {}, one);
    REQUIRE(connz.size() == 1);
    CHECK(connz[0].data.num_connections >= 1);
    const auto jsz = co_await monitoring::ping_jsz(nc, one);
    REQUIRE(jsz.size() == 1);
    CHECK_FALSE(jsz[0].data.disabled);
    const auto health = co_await monitoring::ping_healthz(nc, one);
    REQUIRE(health.size() == 1);
    CHECK(health[0].data.healthy());

    options.user = "app";
    connection app = co_await connect(options);
    monitoring::ping_options brief;
    brief.timeout = 1s;
    const auto nobody = co_await code_of(monitoring::ping_varz(app, brief));
    CHECK(nobody == errc::no_responders);
  });
}
