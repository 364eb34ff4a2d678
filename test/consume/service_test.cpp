// SPDX-License-Identifier: Apache-2.0
// A user's own test: a real server behind a faulty network, with the installed headers alone.
#include <compass_fabric/compass_fabric.hpp>
#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/fault_proxy.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include <compass_fabric/testing/run.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace nats = compass_fabric;
namespace testing = compass_fabric::testing;
using boost::asio::awaitable;

namespace {

awaitable<void> expect_echo(nats::connection& nc, nats::subscription& sub, std::string text) {
  co_await nc.publish("orders.new", text);
  const nats::message m = co_await sub.next(testing::seconds{10});
  if (m.payload() != text) throw std::runtime_error("wanted " + text + ", got " + std::string(m.payload()));
}

awaitable<void> survive_a_reset(testing::fault_proxy& proxy) {
  int reconnects = 0;
  nats::connect_options options;
  options.servers = {proxy.url()};
  options.on_event = [&](const nats::connection_event& e) {
    if (e.kind == nats::event_kind::reconnected) ++reconnects;
  };
  nats::connection nc = co_await nats::connect(options);
  nats::subscription sub = nc.subscribe("orders.*");
  co_await expect_echo(nc, sub, "before");
  proxy.reset();
  co_await testing::until([&] { return reconnects == 1; });
  co_await expect_echo(nc, sub, "after");
}

}  // namespace

int main() {
  try {
    testing::nats_server server;
    testing::fault_proxy proxy(server.port());
    testing::run(survive_a_reset(proxy));
    std::puts("received before and after a reset");
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
