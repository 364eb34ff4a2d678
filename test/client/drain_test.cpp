// SPDX-License-Identifier: Apache-2.0
// Draining while links come and go: what was received is handled, what was not goes to another member of the queue
// group.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

constexpr std::uint64_t late = 300;

subscribe_options member_of_group() {
  subscribe_options o;
  o.queue = "workers";
  return o;
}

// The end of an operation that runs by the side.
struct ending {
  bool done = false;
  error_code error;
};

template <class T>
void start(const asio::any_io_executor& executor, asio::awaitable<T> operation, ending& out) {
  asio::co_spawn(executor, code_of(std::move(operation)), [&out](std::exception_ptr, error_code ec) {
    out.error = ec;
    out.done = true;
  });
}

// Two members of a queue group, one of them behind a proxy, and who publishes for them.
struct group {
  explicit group(const nats_server& server) : proxy(server.port()), direct(server.url()) {}
  asio::awaitable<void> connect_all() {
    const auto options = options_for(proxy.url());
    nc = co_await connect(options);
    other = co_await connect(direct);
    source = co_await connect(direct);
  }
  asio::awaitable<void> publish(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) co_await source->publish("work", "x");
    co_await source->flush();
  }
  asio::awaitable<void> lose_link() {
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return nc->state() == connection_state::reconnecting; });
  }
  fault_proxy proxy;
  std::string direct;
  std::optional<connection> nc, other, source;
};

}  // namespace

TEST_CASE("a drain begun without a link ends the interest that the next link restores", "[client][row76]") {
  nats_server server;
  group g(server);
  run([&]() -> asio::awaitable<void> {
    co_await g.connect_all();
    const auto executor = co_await asio::this_coro::executor;
    bool door = false;
    int handled = 0;
    const auto handler = [&](message) -> asio::awaitable<void> {
      co_await until([&] { return door; });
      ++handled;
    };
    auto mine = g.nc->subscribe("work", handler, member_of_group());
    co_await g.nc->flush();
    co_await g.publish(1);
    co_await until([&] { return mine.stats().received == 1; });
    auto theirs = g.other->subscribe("work", member_of_group());
    co_await g.other->flush();
    co_await g.lose_link();
    ending drained;
    start(executor, g.nc->drain(10s), drained);
    g.proxy.accept();
    co_await until([&] { return !mine.active(); });
    co_await g.publish(late);  // while the handler keeps the drain from its end
    co_await g.other->flush();
    CHECK(theirs.stats().received == late);
    door = true;
    co_await until([&] { return drained.done; });
    CHECK_FALSE(drained.error);
    CHECK(handled == 1);
    CHECK(g.nc->stats().in_messages == 1);
  });
}

TEST_CASE("a subscription is drained when the server of the present link has confirmed it", "[client][row75]") {
  nats_server server;
  group g(server);
  run([&]() -> asio::awaitable<void> {
    co_await g.connect_all();
    const auto executor = co_await asio::this_coro::executor;
    auto mine = g.nc->subscribe("work", member_of_group());
    auto theirs = g.other->subscribe("work", member_of_group());
    co_await g.nc->flush();
    co_await g.other->flush();
    co_await g.lose_link();
    ending drained;
    start(executor, mine.drain(10s), drained);
    g.proxy.delay(direction::to_server, 50ms);
    g.proxy.accept();
    co_await until([&] { return !mine.active(); });
    co_await g.publish(late);
    co_await g.other->flush();
    co_await g.nc->flush();
    CHECK(theirs.stats().received == late);
    CHECK(g.nc->stats().in_messages == 0);
    co_await until([&] { return drained.done; });
    CHECK_FALSE(drained.error);
  });
}

TEST_CASE("every drain of a connection that was drained succeeds", "[client][row76]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const auto executor = co_await asio::this_coro::executor;
    bool door = false;
    const auto handler = [&](message) -> asio::awaitable<void> { co_await until([&] { return door; }); };
    auto sub = nc.subscribe("work", handler);
    co_await nc.publish("work", "x");
    co_await nc.flush();
    ending drains[3];
    start(executor, nc.drain(10s), drains[0]);
    start(executor, nc.drain(10s), drains[1]);
    co_await until([&] { return !sub.active(); });
    door = true;
    start(executor, nc.drain(10s), drains[2]);  // it is behind the others, which close
    for (const auto& d : drains) {
      co_await until([&] { return d.done; });
      CHECK_FALSE(d.error);
    }
    const auto closed = co_await nc.closed();
    CHECK_FALSE(closed);
  });
}

TEST_CASE("closing while a drain is under way is told to it", "[client][row76]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const auto executor = co_await asio::this_coro::executor;
    const auto handler = [](message) -> asio::awaitable<void> { co_await until([] { return false; }, 50ms); };
    auto sub = nc.subscribe("work", handler);
    co_await nc.publish("work", "x");
    co_await nc.flush();
    ending drained;
    start(executor, nc.drain(10s), drained);
    co_await until([&] { return !sub.active(); });
    nc.close();
    co_await until([&] { return drained.done; });
    CHECK(drained.error == errc::connection_closed);
  });
}

TEST_CASE("a limit set on a later link counts what the earlier ones brought", "[client][row71]") {
  nats_server server;
  group g(server);
  run([&]() -> asio::awaitable<void> {
    co_await g.connect_all();
    auto mine = g.nc->subscribe("work", member_of_group());
    co_await g.nc->flush();
    co_await g.publish(5);
    co_await until([&] { return mine.stats().received == 5; });
    g.nc->reconnect();
    co_await until([&] { return g.nc->stats().reconnects == 1; });
    mine.unsubscribe_after(8);
    co_await g.nc->flush();
    co_await g.publish(3);
    co_await until([&] { return !mine.active(); });
    auto theirs = g.other->subscribe("work", member_of_group());
    co_await g.other->flush();
    co_await g.publish(late);
    co_await g.other->flush();
    CHECK(mine.stats().received == 8);
    CHECK(theirs.stats().received == late);
  });
}
