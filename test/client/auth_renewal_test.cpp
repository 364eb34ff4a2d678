// SPDX-License-Identifier: Apache-2.0
// Credentials that end while connected, and credentials on other servers.
#include <catch2/generators/catch_generators.hpp>

#include <compass_fabric/testing/cluster.hpp>
#include "auth_fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C010: a JWT that expires after five seconds is renewed with every subscription intact",
          "[client][row31][row54]") {
  const operator_mode op;
  const auto user = op.make_user();
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(server.url());
        std::vector<login_request> asked;
        const auto sign = [&](std::string_view nonce) { return user.key.sign(nonce); };
        options.auth_callback = [&](const login_request& r) -> credentials {
          asked.push_back(r);
          if (asked.size() == 2) throw std::runtime_error("the vault is restarting");
          const auto lifetime = asked.size() == 1 ? seconds{5} : seconds{600};
          return user_jwt{op.renew(user, {.lifetime = lifetime}), sign};
        };
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        auto plain = nc.subscribe("plain");
        auto wild = nc.subscribe("wild.*");
        auto echo = nc.subscribe("echo", [&](const message_view& m) { nc.try_publish(m.reply, m.payload); });
        co_await nc.flush(5s);
        co_await until([&] { return events.has(event_kind::reconnected); });
        CHECK(events.last(event_kind::disconnected).error == errc::authentication_expired);
        CHECK(events.last(event_kind::disconnected).text == "User Authentication Expired");
        CHECK(events.count(event_kind::connect_failed) == 1);
        CHECK(events.last(event_kind::connect_failed).error == errc::invalid_credentials);
        CHECK(events.last(event_kind::connect_failed).text.find("the vault is restarting") != std::string::npos);
        REQUIRE(asked.size() == 3);
        CHECK(asked[1].last_error == errc::authentication_expired);
        CHECK(asked[2].last_error == errc::invalid_credentials);
        CHECK(asked[2].nonce != asked[0].nonce);
        co_await nc.publish("plain", "1");
        co_await nc.publish("wild.x", "2");
        const auto first = co_await plain.next(5s);
        const auto second = co_await wild.next(5s);
        const auto third = co_await nc.request("echo", "3");
        CHECK(first.payload() == "1");
        CHECK(second.payload() == "2");
        CHECK(third.payload() == "3");
      },
      60s);
}

TEST_CASE("C010: a credentials file that was replaced meanwhile is read again", "[client][row31]") {
  const operator_mode op;
  const auto user = op.make_user();
  const temp_dir dir;
  const auto path = dir.path() / "user.creds";
  const auto write = [&](seconds lifetime) {
    write_file(path, minted_user{user.key, op.renew(user, {.lifetime = lifetime})}.creds());
  };
  write(seconds{2});
  nats_server server({.jetstream = false, .extra_config = op.server_config()});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.auth = creds_file{path};
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("s");
    write(seconds{600});
    co_await until([&] { return events.has(event_kind::reconnected); });
    co_await nc.publish("s", "renewed");
    const auto m = co_await sub.next(5s);
    CHECK(m.payload() == "renewed");
    CHECK_FALSE(events.has(event_kind::connect_failed));
  });
}

TEST_CASE("a signature is made for the nonce of each link", "[client][row31]") {
  const nkey key(160);
  nats_server server({.jetstream = false, .extra_config = users_config(key)});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    std::vector<std::string> nonces;
    options.auth = nkey_signer{key.public_key(), [&](std::string_view nonce) {
                                 nonces.emplace_back(nonce);
                                 return key.sign(nonce);
                               }};
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    server.kill();
    server.restart();
    co_await until([&] { return events.has(event_kind::reconnected); });
    REQUIRE(nonces.size() >= 2);
    CHECK(nonces.front() != nonces.back());
  });
}

TEST_CASE("C013: credentials reach every server of a cluster, killed one after another", "[client][row31][row36]") {
  const auto form = GENERATE(0, 1, 2);
  const nkey key(160);
  const operator_mode op;
  const temp_dir dir;
  write_file(dir.path() / "windows.creds", with_crlf(op.make_user().creds()));
  nats_server_options node;
  node.jetstream = false;
  node.extra_config = form == 2 ? op.server_config() : users_config(key);
  cluster servers(node);
  run(
      [&]() -> asio::awaitable<void> {
        const auto port = std::to_string(servers.node(0).port());
        auto options = options_for(form == 1 ? "nats://ann:s3cret@127.0.0.1:" + port : servers.node(0).url());
        if (form == 0) options.auth = nkey_seed{key.seed()};
        if (form == 2) options.auth = creds_file{dir.path() / "windows.creds"};
        event_log events;
        options.on_event = events.handler();
        connection nc = co_await connect(options);
        auto sub = nc.subscribe("s");
        co_await until([&] { return nc.info().connect_urls.size() == cluster::size; });
        for (std::size_t round = 1; round <= 3; ++round) {
          std::size_t current = 0;
          while (servers.node(current).port() != nc.info().port) ++current;
          servers.node(current).kill();
          co_await until([&] { return events.count(event_kind::reconnected) >= round; });
          servers.node(current).start();
          co_await nc.flush(20s);
          co_await nc.publish("s", "round");
          const auto m = co_await sub.next(20s);
          CHECK(m.payload() == "round");
          servers.node(current).wait_ready();
        }
        for (const auto& e : events.of(event_kind::connect_failed)) {
          INFO(to_string(e));
          CHECK(e.error != errc::authorization_violation);
          CHECK(e.error != errc::invalid_credentials);
        }
      },
      90s);
}
