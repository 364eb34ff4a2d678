// SPDX-License-Identifier: Apache-2.0
// The io_context is destroyed while the connection waits for nothing but time. LeakSanitizer decides.
#include "client/fixture.hpp"
#include "testing/free_port.hpp"

#include <catch2/catch_test_macros.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C076 the context may be destroyed in the pause between two attempts", "[client]") {
  std::weak_ptr<int> alive;
  {
    boost::asio::io_context io(1);
    connect_options options;
    options.servers = {"nats://127.0.0.1:" + std::to_string(free_port())};
    options.retry_on_initial_connect = true;
    options.reconnect.initial_delay = std::chrono::hours(1);
    options.reconnect.max_delay = std::chrono::hours(1);
    std::size_t failures = 0;
    const auto token = std::make_shared<int>(0);
    alive = token;
    options.on_event = [&failures, token](const connection_event& e) {
      if (e.kind == event_kind::connect_failed) ++failures;
    };
    boost::asio::co_spawn(io, connect(options), boost::asio::detached);
    while (failures == 0) io.run_one();
    for (int i = 0; i != 10; ++i) io.poll();
  }
  CHECK(alive.expired());
}
