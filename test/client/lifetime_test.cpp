// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <future>
#include <thread>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "fixture.hpp"
#include "testing/json_value.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

asio::awaitable<connection> connect_to(std::string url) {
  const auto options = options_for(std::move(url));
  co_return co_await connect(options);
}

asio::awaitable<void> closing(connection nc) {
  nc.close();
  co_return;
}

/// Subscriptions the server still holds for clients.
std::int64_t client_subscriptions(const nats_server& server) {
  return json_int(server.monitor("/connz"), "/connections/0/subscriptions").value_or(-1);
}

// Connects and keeps a request, a next and a flush waiting for ever.
asio::awaitable<void> keep_busy(connect_options options) {
  connection nc = co_await connect(options);
  auto sub = nc.subscribe("never");
  const auto executor = co_await asio::this_coro::executor;
  auto ignore = [](std::exception_ptr, message) {};
  asio::co_spawn(executor, nc.request("never", "x"), ignore);
  co_await sub.next(1h);
}

}  // namespace

TEST_CASE("C076 the context may be destroyed at any moment of connecting and working", "[client]") {
  nats_server server;
  byte_peer silent(std::vector<byte_peer::script>(400, [](peer_connection& c) { c.hold(); }));
  const std::vector<std::string> urls{server.url(), "nats://127.0.0.1:1", silent.url(), "nats://localhost:1"};
  for (int round = 0; round < 60; ++round) {
    for (const auto& url : urls) {
      auto options = options_for(url);
      options.retry_on_initial_connect = true;
      asio::io_context io(1);
      auto ignore = [](std::exception_ptr) {};
      asio::co_spawn(io, keep_busy(options), ignore);
      io.run_for(std::chrono::microseconds(round * 50));
    }
  }
}

TEST_CASE("C076 a context destroyed under a connection that has made requests frees it", "[client]") {
  nats_server server;
  const auto token = std::make_shared<int>(0);
  {
    asio::io_context io(1);
    bool asked = false;
    auto options = options_for(server.url());
    options.on_event = [token](const connection_event&) {};
    auto work = [&]() -> asio::awaitable<void> {
      connection nc = co_await connect(options);
      auto sub = nc.subscribe("never");
      auto gone = nc.subscribe("gone");
      const auto answer = co_await as_result(nc.request("nobody", "x"));
      asked = answer.error() == errc::no_responders;
      gone.unsubscribe();
      options.on_event = {};
      co_await sub.next(1h);
    };
    asio::co_spawn(io, work, asio::detached);
    const deadline end(default_wait);
    while (!asked && !end.passed()) io.run_one_for(10ms);
    CHECK(asked);
  }
  CHECK(token.use_count() == 1);
}

TEST_CASE("C076 cancelling connect leaves nothing behind", "[client]") {
  byte_peer silent([](peer_connection& c) { c.hold(); });
  run_to_idle([&]() -> asio::awaitable<void> {
    const auto executor = co_await asio::this_coro::executor;
    auto options = options_for(silent.url());
    options.connect_timeout = 60s;
    asio::cancellation_signal cancel;
    std::optional<error_code> ended;
    auto done = [&](std::exception_ptr e, connection) { ended = to_error_code(e); };
    asio::co_spawn(executor, connect(options), asio::bind_cancellation_slot(cancel.slot(), done));
    co_await eventually([&] { return silent.played() > 0; }, 20ms);
    cancel.emit(asio::cancellation_type::terminal);
    co_await until([&] { return ended.has_value(); });
    CHECK(*ended == asio::error::operation_aborted);
  });
}

TEST_CASE("dropping the last handle closes; the context then runs out of work", "[client]") {
  nats_server server;
  run_to_idle([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("x");
    co_await nc.flush(5s);
    connection copy = nc;
    nc = connection();
    co_await copy.flush(5s);
  });
}

TEST_CASE("C082 connecting again after close works, twenty times on one context", "[client]") {
  nats_server server;
  run_to_idle([&]() -> asio::awaitable<void> {
    for (int i = 0; i < 20; ++i) {
      connection nc = co_await connect(server.url());
      auto sub = nc.subscribe("x");
      co_await nc.publish("x", std::to_string(i));
      const auto m = co_await sub.next(5s);
      CHECK(m.payload() == std::to_string(i));
      nc.close();
      const auto reason = co_await nc.closed();
      CHECK_FALSE(reason);
    }
  });
}

TEST_CASE("C083 closing twice, from handlers and with a waiting next, closes once", "[client]") {
  nats_server server;
  run_to_idle([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    auto waiting = nc.subscribe("quiet");
    std::optional<error_code> ended;
    auto done = [&](std::exception_ptr e, message) { ended = to_error_code(e); };
    asio::co_spawn(nc.get_executor(), waiting.next(1h), done);
    auto closer = nc.subscribe("close", [&](const message_view&) {
      nc.close();
      nc.close();
    });
    auto on_closed = nc.on_event([&](const connection_event& e) {
      if (e.kind == event_kind::closed) nc.close();
    });
    co_await nc.publish("close", "");
    const auto reason = co_await nc.closed();
    CHECK_FALSE(reason);
    co_await until([&] { return ended.has_value(); });
    CHECK(*ended == errc::connection_closed);
    co_await until([&] { return events.has(event_kind::closed); });
    CHECK(events.count(event_kind::closed) == 1);
    nc.close();
    co_await nc.drain(1s);
  });
}

TEST_CASE("C083 a subscription may end itself inside its own handler", "[client]") {
  nats_server server;
  run_to_idle([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = std::make_shared<subscription>();
    auto count = std::make_shared<int>(0);
    const std::string captured(100, 'c');  // read after the end: the handler must outlive its own call
    *sub = nc.subscribe("x", [sub, count, captured](const message_view&) {
      *sub = subscription();
      *count += captured.size() == 100;
    });
    for (int i = 0; i < 10; ++i) co_await nc.publish("x", "");
    co_await nc.flush(5s);
    CHECK(*count == 1);
  });
}

TEST_CASE("a publish that begins after its connection has ended says so", "[client]") {
  nats_server server;
  asio::io_context io(1);
  std::optional<asio::awaitable<void>> later;
  {
    connection nc = run_on(io, connect(server.url()));
    later.emplace(nc.publish("x", "y"));
  }
  io.restart();
  io.run();  // the last handle is gone: the connection ends, and the context runs out of work
  const auto code = run_on(io, code_of(std::move(*later)));
  CHECK(code == errc::connection_closed);
}

TEST_CASE("what a handler throws leaves through the context's run", "[client]") {
  nats_server server;
  asio::io_context io(1);
  connection nc = run_on(io, connect(server.url()));
  auto sub = nc.subscribe("x", [](const message_view&) { throw std::runtime_error("from the handler"); });
  nc.try_publish("x", "");
  io.restart();
  CHECK_THROWS_AS(io.run_for(5s), std::runtime_error);
  run_on(io, nc.flush(5s));  // the connection lives
}

TEST_CASE("C032 subscriptions dropped under a stream of messages, several threads", "[client][threads]") {
  nats_server server;
  asio::thread_pool pool(4);
  const auto strand = asio::make_strand(pool.get_executor());
  connection nc = asio::co_spawn(strand, connect_to(server.url()), asio::use_future).get();
  std::atomic<bool> stop{false};
  const auto firehose = [&]() -> asio::awaitable<void> {
    while (!stop) {
      for (int i = 0; i < 200; ++i) co_await nc.publish("hose", "x");
      co_await nc.flush(10s);  // a new subscription's messages must not queue behind megabytes of others'
    }
  };
  auto hose = asio::co_spawn(strand, firehose(), asio::use_future);
  const auto drop_often = [&]() -> asio::awaitable<void> {
    for (int i = 0; i < 100; ++i) {
      subscribe_options small;
      small.pending_messages_limit = 5;
      auto sub = nc.subscribe("hose", small);
      for (int n = 0; n < i % 4; ++n) co_await sub.next(10s);
    }
  };
  std::vector<std::future<void>> droppers;
  for (int i = 0; i < 20; ++i) droppers.push_back(asio::co_spawn(strand, drop_often(), asio::use_future));
  for (auto& d : droppers) d.get();
  stop = true;
  hose.get();
  async(nc, nc.flush(10s), asio::use_future).get();
  CHECK(client_subscriptions(server) == 0);
  nc = connection();
  pool.join();
}

TEST_CASE("C041 many tasks on many threads write whole frames in their own order", "[client][threads]") {
  nats_server server;
  fault_proxy proxy(server.port(), 3);
  proxy.rechunk(direction::to_server, 100, 5000);
  asio::thread_pool pool(4);
  const auto strand = asio::make_strand(pool.get_executor());
  connection nc = asio::co_spawn(strand, connect_to(proxy.url()), asio::use_future).get();
  auto received = std::make_shared<std::vector<int>>(32, 0);
  auto wrong = std::make_shared<int>(0);
  const auto listen = [&]() -> asio::awaitable<subscription> {
    co_return nc.subscribe("task.*", [received, wrong](const message_view& m) {
      const auto task = static_cast<std::size_t>(std::stoi(std::string(m.subject.substr(5))));
      const auto number = std::stoi(std::string(m.payload.substr(0, m.payload.find(' '))));
      const bool whole = m.payload.find_first_not_of('x', m.payload.find(' ') + 1) == std::string_view::npos;
      *wrong += !whole || number != (*received)[task]++;
    });
  };
  auto sub = asio::co_spawn(strand, listen(), asio::use_future).get();
  const auto write = [&](int task) -> asio::awaitable<void> {
    const std::string subject = "task." + std::to_string(task);
    for (int i = 0; i < 50; ++i) {
      const std::string body =
          std::to_string(i) + ' ' + std::string(static_cast<std::size_t>(1 + (task * 997 + i * 131) % 32768), 'x');
      co_await nc.publish(subject, body);
    }
  };
  std::vector<std::future<void>> writers;
  for (int t = 0; t < 32; ++t) writers.push_back(asio::co_spawn(strand, write(t), asio::use_future));
  for (auto& w : writers) w.get();
  async(nc, nc.flush(20s), asio::use_future).get();
  async(nc, nc.drain(20s), asio::use_future).get();
  CHECK(*wrong == 0);
  CHECK(*received == std::vector<int>(32, 50));
  nc = connection();
  sub = subscription();
  pool.join();
}

TEST_CASE("C084 handles may be destroyed on other threads, in any order, under load", "[client][threads]") {
  nats_server server;
  for (int order = 0; order < 4; ++order) {
    auto pool = std::make_unique<asio::thread_pool>(4);
    auto strand = std::make_unique<asio::any_io_executor>(asio::make_strand(pool->get_executor()));
    connection nc = asio::co_spawn(*strand, connect_to(server.url()), asio::use_future).get();
    const auto listen = [&]() -> asio::awaitable<subscription> { co_return nc.subscribe("load"); };
    auto sub = asio::co_spawn(*strand, listen(), asio::use_future).get();
    const auto load = [](connection c) -> asio::awaitable<void> {
      for (;;) co_await c.publish("load", "x");
    };
    auto ignore = [](std::exception_ptr) {};
    asio::co_spawn(*strand, load(nc), ignore);
    if (order == 0) nc = connection();
    if (order == 1) sub = subscription();
    if (order == 2) async(nc, closing(nc), asio::use_future).get();
    pool->stop();
    pool->join();
    nc = connection();
    sub = subscription();
    strand.reset();
    pool.reset();
  }
}

TEST_CASE("C086 time-outs at the edges neither overflow nor hang", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("n");
    for (const auto timeout : {0ms, -1ms, std::chrono::milliseconds::min()}) {
      const auto code = co_await code_of(sub.next(timeout));
      CHECK(code == errc::timeout);
    }
    const std::vector<std::chrono::milliseconds> long_ones{
        std::chrono::hours(24 * 24), std::chrono::hours(24 * 365 * 290), std::chrono::milliseconds::max()};
    for (const auto timeout : long_ones) {
      std::string got;
      asio::co_spawn(nc.get_executor(), sub.next(timeout), [&](std::exception_ptr, message m) { got = m.payload(); });
      co_await nc.publish("n", "x");
      co_await until([&] { return got == "x"; });
      request_options patient;
      patient.timeout = timeout;
      const auto code = co_await code_of(nc.request("nobody", "", patient));
      CHECK(code == errc::no_responders);
      co_await nc.flush(timeout);
    }
  });
}

TEST_CASE("C078 a time-out and a cancellation are told apart; a finished operation is finished", "[client]") {
  nats_server server;
  run(
      [&]() -> asio::awaitable<void> {
        connection nc = co_await connect(server.url());
        auto echo = nc.subscribe("echo", [&](const message_view& m) { nc.try_publish(m.reply, m.payload); });
        int answered = 0;
        int aborted = 0;
        int timed_out = 0;
        for (int i = 0; i < 2000; ++i) {
          asio::cancellation_signal cancel;
          std::optional<error_code> ended;
          int completions = 0;
          auto done = [&](std::exception_ptr e, message) {
            ended = to_error_code(e);
            ++completions;
          };
          request_options brief;
          brief.timeout = std::chrono::milliseconds(i % 3 == 0 ? 0 : 1000);
          asio::co_spawn(nc.get_executor(), nc.request("echo", "x", brief),
                         asio::bind_cancellation_slot(cancel.slot(), done));
          for (int turn = 0; turn < i % 11; ++turn) co_await asio::post(nc.get_executor(), asio::use_awaitable);
          if (i % 2 == 0) cancel.emit(asio::cancellation_type::terminal);
          co_await until([&] { return ended.has_value(); });
          REQUIRE(completions == 1);
          answered += !*ended;
          aborted += *ended == asio::error::operation_aborted;
          timed_out += *ended == errc::timeout;
        }
        CHECK(answered + aborted + timed_out == 2000);
        CHECK(answered > 0);
        CHECK(aborted > 0);
        CHECK(timed_out > 0);
        CHECK(nc.stats().pending_requests == 0);
      },
      60s);
}

TEST_CASE("the bridge keeps the context of its handler from running out of work", "[client]") {
  nats_server server;
  asio::io_context io(1);
  auto work = asio::make_work_guard(io);
  std::thread thread([&] { io.run(); });
  connection nc = asio::co_spawn(io, connect(server.url()), asio::use_future).get();
  asio::io_context other(1);
  bool completed = false;
  async(nc, nc.flush(5s), asio::bind_executor(other, [&](error_code ec) { completed = !ec; }));
  other.run_for(default_wait);
  CHECK(completed);
  nc = connection();
  work.reset();
  thread.join();
}

TEST_CASE("the bridge takes operations from many threads at once", "[client][threads][row188]") {
  constexpr int callers = 4;
  constexpr int rounds = 200;
  nats_server server;
  asio::io_context io(1);
  auto work = asio::make_work_guard(io);
  std::thread thread([&] { io.run(); });
  connection nc = asio::co_spawn(io, connect(server.url()), asio::use_future).get();
  const auto serve = [&]() -> asio::awaitable<subscription> {
    co_return nc.subscribe("echo", [&nc](const message_view& m) { nc.try_respond(m, m.payload); });
  };
  std::optional<subscription> responder = asio::co_spawn(io, serve(), asio::use_future).get();
  std::atomic<int> right{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < rounds; ++k) {
        const std::string mine = std::to_string(i) + "/" + std::to_string(k);
        right += async(nc, nc.request("echo", mine), asio::use_future).get().payload() == mine;
      }
    });
  }
  for (auto& t : threads) t.join();
  CHECK(right == callers * rounds);
  responder.reset();
  nc = connection();
  work.reset();
  thread.join();
}

TEST_CASE("the bridge gives futures, callbacks and results", "[client]") {
  nats_server server;
  asio::io_context io(1);
  auto work = asio::make_work_guard(io);
  std::thread thread([&] { io.run(); });
  connection nc = asio::co_spawn(io, connect(server.url()), asio::use_future).get();
  auto failing = async(nc, nc.request("nobody", ""), asio::use_future);
  CHECK_THROWS_AS(failing.get(), system_error);
  std::promise<error_code> flushed;
  async(nc, nc.flush(5s), [&](error_code ec) { flushed.set_value(ec); });
  CHECK_FALSE(flushed.get_future().get());
  const auto both = [&]() -> asio::awaitable<bool> {
    const auto result = co_await as_result(nc.request("nobody", ""));
    co_return result.has_error() && result.error() == errc::no_responders;
  };
  CHECK(asio::co_spawn(io, both(), asio::use_future).get());
  nc = connection();
  work.reset();
  thread.join();
}
