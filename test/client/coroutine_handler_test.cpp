// SPDX-License-Identifier: Apache-2.0
// Handlers that wait: their order, how many run at a time, and the barrier across them.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

// Handlers wait here until they are let go one by one.
class gate {
 public:
  asio::awaitable<void> pass() {
    ++waiting_;
    while (permits_ == 0) {
      asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
      co_await timer.async_wait(asio::use_awaitable);
    }
    --permits_;
    --waiting_;
  }
  void let(int n) { permits_ += n; }
  int waiting() const { return waiting_; }

 private:
  int permits_ = 0;
  int waiting_ = 0;
};

}  // namespace

TEST_CASE("a coroutine handler gets its messages in order, also when it waits", "[client][row82]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    std::vector<std::string> handled;
    int running = 0;
    const auto handler = [&](message m) -> asio::awaitable<void> {
      CHECK(++running == 1);
      const auto reply = co_await nc.request("echo", m.payload());  // the connection goes on meanwhile
      handled.emplace_back(reply.payload());
      --running;
    };
    auto echo = nc.subscribe("echo", [&](const message_view& m) { nc.try_publish(m.reply, m.payload); });
    auto sub = nc.subscribe("n", handler);
    for (int i = 0; i < 100; ++i) co_await nc.publish("n", std::to_string(i));
    co_await until([&] { return handled.size() == 100; });
    for (std::size_t i = 0; i < 100; ++i) CHECK(handled[i] == std::to_string(i));
    CHECK(sub.stats().delivered == 100);
  });
}

TEST_CASE("as many coroutine handlers run at a time as max_concurrency says", "[client][row82]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    gate door;
    int handled = 0;
    subscribe_options options;
    options.max_concurrency = 3;
    const auto handler = [&](message) -> asio::awaitable<void> {
      co_await door.pass();
      ++handled;
    };
    auto sub = nc.subscribe("n", handler, options);
    for (int i = 0; i < 10; ++i) co_await nc.publish("n", "x");
    co_await nc.flush();
    co_await until([&] { return door.waiting() == 3; });
    CHECK(sub.stats().pending_messages == 7);
    door.let(1);
    co_await until([&] { return handled == 1 && door.waiting() == 3; });
    CHECK(sub.stats().pending_messages == 6);
    door.let(9);
    co_await until([&] { return handled == 10; });
    CHECK(sub.stats().max_pending_messages >= 7);
  });
}

TEST_CASE("a barrier waits for what was received before it, across subscriptions, and for no more", "[client][row83]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    gate door;
    std::vector<std::string> handled;
    subscribe_options two;
    two.max_concurrency = 2;
    const auto handler = [&](message m) -> asio::awaitable<void> {
      co_await door.pass();
      handled.emplace_back(m.payload());
    };
    auto a = nc.subscribe("a", handler);
    auto b = nc.subscribe("b", handler, two);
    auto unread = nc.subscribe("a");
    co_await nc.barrier(1s);  // nothing received: at once
    for (int i = 0; i < 2; ++i) co_await nc.publish("a", "a");
    for (int i = 0; i < 3; ++i) co_await nc.publish("b", "b");
    co_await nc.flush();
    bool passed = false;
    auto waits = [&]() -> asio::awaitable<void> {
      co_await nc.barrier(10s);
      passed = true;
    };
    asio::co_spawn(nc.get_executor(), waits(), asio::detached);
    co_await until([&] { return door.waiting() == 3; });
    co_await nc.publish("a", "later");
    co_await nc.flush();
    door.let(4);
    co_await until([&] { return handled.size() == 4; });
    CHECK_FALSE(passed);
    const auto failure = co_await code_of(nc.barrier(10ms));
    CHECK(failure == errc::timeout);
    door.let(2);
    co_await until([&] { return passed; });
    CHECK(handled.size() >= 5);
    door.let(1);
    co_await until([&] { return handled.size() == 6; });
  });
}

TEST_CASE("what a coroutine handler throws leaves through the executor, and the next message is handled",
          "[client][row82]") {
  nats_server server;
  asio::io_context io(1);
  int handled = 0;
  std::optional<connection> nc;
  std::optional<subscription> sub;
  const auto handler = [&](message m) -> asio::awaitable<void> {
    ++handled;
    if (m.payload() == "bad") throw std::runtime_error("from the handler");
    co_return;
  };
  run_on(io, [&]() -> asio::awaitable<void> {
    nc = co_await connect(server.url());
    sub = nc->subscribe("n", handler);
    co_await nc->flush();
    co_await nc->publish("n", "bad");
    co_await nc->publish("n", "good");
  }());
  io.restart();
  std::string thrown;
  try {
    while (io.run_one_for(10s) != 0) {
    }
  } catch (const std::runtime_error& e) {
    thrown = e.what();
  }
  CHECK(thrown == "from the handler");
  run_on(io, until([&] { return handled == 2; }));
}

TEST_CASE("draining waits for handlers at work; unsubscribing lets them finish and starts no more", "[client][row75]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    gate door;
    int handled = 0;
    const auto handler = [&](message) -> asio::awaitable<void> {
      co_await door.pass();
      ++handled;
    };
    auto sub = nc.subscribe("n", handler);
    for (int i = 0; i < 3; ++i) co_await nc.publish("n", "x");
    co_await nc.flush();
    co_await until([&] { return door.waiting() == 1; });
    const auto early = co_await code_of(sub.drain(20ms));
    CHECK(early == errc::timeout);
    door.let(3);
    co_await sub.drain(10s);
    CHECK(handled == 3);

    auto cut = nc.subscribe("m", handler);
    for (int i = 0; i < 3; ++i) co_await nc.publish("m", "x");
    co_await nc.flush();
    co_await until([&] { return door.waiting() == 1; });
    cut.unsubscribe();
    door.let(1);
    co_await until([&] { return handled == 4; });
    co_await nc.flush();
    CHECK(handled == 4);
  });
}

TEST_CASE("the connection's drain finishes coroutine handlers and their requests", "[client][row76]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    connection helper = co_await connect(server.url());
    auto echo = helper.subscribe("echo", [&](const message_view& m) { helper.try_publish(m.reply, m.payload); });
    co_await helper.flush();
    int handled = 0;
    const auto handler = [&](message m) -> asio::awaitable<void> {
      const auto reply = co_await nc.request("echo", m.payload());
      if (reply.payload() == "x") ++handled;
    };
    auto sub = nc.subscribe("n", handler);
    for (int i = 0; i < 20; ++i) co_await nc.publish("n", "x");
    co_await nc.drain(10s);
    CHECK(handled == 20);
  });
}

TEST_CASE("a handle's end, the connection's end and the context's end let waiting handlers go", "[client][row82]") {
  nats_server server;
  const auto token = std::make_shared<int>(0);
  for (int way = 0; way < 3; ++way) {
    asio::io_context io(1);
    std::optional<connection> nc;
    run_on(io, [&]() -> asio::awaitable<void> {
      nc = co_await connect(server.url());
      gate door;
      const auto handler = [token, &door](message) -> asio::awaitable<void> { co_await door.pass(); };
      auto sub = nc->subscribe("n", handler);
      auto idle = nc->subscribe("idle", handler);
      co_await nc->publish("n", "x");
      co_await nc->publish("idle", "x");
      co_await until([&] { return door.waiting() == 2; });
      door.let(1);
      co_await until([&] { return door.waiting() == 1; });
      if (way == 1) nc->close();
      door.let(way == 2 ? 0 : 1);
      if (way != 2) co_await until([&] { return door.waiting() == 0; });
    }());
    if (way != 2) {
      nc.reset();
      io.restart();
      io.run_for(10s);
      CHECK(token.use_count() == 1);
    }
  }
  CHECK(token.use_count() == 1);
}

TEST_CASE("a service that its own handler keeps goes with the context, whatever waits", "[client][row82]") {
  struct service {
    std::optional<connection> nc;
    std::optional<subscription> sub;
  };
  nats_server server;
  for (const bool closed : {false, true}) {
    std::weak_ptr<service> left;
    {
      asio::io_context io(1);
      run_on(io, [&]() -> asio::awaitable<void> {
        const auto s = std::make_shared<service>();
        left = s;
        s->nc = co_await connect(server.url());
        gate door;
        const auto handler = [s, &door](message) -> asio::awaitable<void> { co_await door.pass(); };
        s->sub = s->nc->subscribe("n", handler);
        for (int i = 0; i < 10; ++i) co_await s->nc->publish("n", "x");
        co_await s->nc->flush();
        co_await until([&] { return door.waiting() == 1; });
        if (closed) s->nc->close();
      }());
      CHECK_FALSE(left.expired());
    }
    CHECK(left.expired());
  }
}

TEST_CASE("next_batch takes what waits, in order, within its bound", "[client][row67]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("n");
    for (int i = 0; i < 10; ++i) co_await nc.publish("n", std::to_string(i));
    co_await nc.flush();
    auto batch = co_await sub.next_batch(10s, 4);
    CHECK(batch.size() == 4);
    CHECK(batch[0].payload() == "0");
    CHECK(batch[3].payload() == "3");
    batch = co_await sub.next_batch(10s);
    CHECK(batch.size() == 6);
    CHECK(batch[5].payload() == "9");
    auto failure = co_await code_of(sub.next_batch(10ms));
    CHECK(failure == errc::timeout);
    asio::co_spawn(nc.get_executor(), nc.publish("n", "later"), asio::detached);
    batch = co_await sub.next_batch(10s);
    CHECK(batch.size() == 1);
    sub.unsubscribe();
    failure = co_await code_of(sub.next_batch(10s));
    CHECK(failure == errc::subscription_closed);
    const auto tap = [](const message_view&) {};
    auto handled = nc.subscribe("n", tap);
    failure = co_await code_of(handled.next(10s));
    CHECK(failure == errc::invalid_option);
    CHECK_FALSE(handled.try_next());
  });
}
