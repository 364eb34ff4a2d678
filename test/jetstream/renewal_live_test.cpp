// SPDX-License-Identifier: Apache-2.0
#include "jetstream/live.hpp"

#include "support/operator_mode.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C010: a durable consumer goes on after the credentials expired and were renewed", "[jetstream][row31]") {
  const operator_mode op;
  const auto user = op.make_user();
  nats_server server({.extra_config = op.server_config()});
  run(
      [&]() -> awaitable<void> {
        connect_options options;
        options.servers = {server.url()};
        const auto sign = [&](std::string_view nonce) { return user.key.sign(nonce); };
        int asked = 0;
        options.auth_callback = [&](const login_request&) -> credentials {
          const auto lifetime = ++asked == 1 ? seconds{2} : seconds{600};
          return user_jwt{op.renew(user, {.lifetime = lifetime}), sign};
        };
        bool expired = false;
        bool renewed = false;
        options.on_event = [&](const connection_event& e) {
          expired |= e.kind == event_kind::disconnected && e.error == errc::authentication_expired;
          renewed |= e.kind == event_kind::reconnected;
        };
        connection nc = co_await connect(options);
        jetstream::context js(nc);
        co_await provision(js);
        auto flow = js.consumer("ORDERS", "BILLING").consume();
        co_await publish_numbers(js, "orders.new", 1);
        auto first = co_await flow.next(10s);
        REQUIRE(first);
        CHECK(first->payload() == "0");
        first->ack();
        co_await until([&] { return renewed; });
        CHECK(expired);
        CHECK(asked == 2);
        co_await publish_numbers(js, "orders.new", 1);
        auto second = co_await flow.next(10s);
        REQUIRE(second);
        CHECK(second->payload() == "0");
        CHECK(second->metadata().stream_sequence == 2);
        second->ack();
      },
      60s);
}
