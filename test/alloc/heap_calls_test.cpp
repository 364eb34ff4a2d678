// SPDX-License-Identifier: Apache-2.0
// How often the client asks for memory once its buffers have grown, against a real server. Flushes are part of the work
// and may allocate: with many messages to each they disappear in the second decimal, and no more than that is allowed.
#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include <compass_fabric/testing/run.hpp>
#include "counted_heap.hpp"

#include <compass_fabric/compass_fabric.hpp>

#include <catch2/catch_test_macros.hpp>

#include <memory>
#include <string>

using namespace compass_fabric;
using namespace std::chrono_literals;
using testing::heap_calls;

namespace {

constexpr std::size_t batch = 2000;
constexpr std::size_t batches = 10;
constexpr std::size_t rounded_to_zero = batch * batches / 200;  // 0.005 per message
const std::string payload(128, 'x');

void publish_batch(connection& nc) {
  for (std::size_t i = 0; i < batch; ++i) REQUIRE_FALSE(nc.try_publish("heap.calls", payload));
}

// Heap calls of `one_batch`, repeated; the first one grows the buffers and does not count.
template <class Batch>
boost::asio::awaitable<std::size_t> measure(Batch one_batch) {
  co_await one_batch();
  const heap_calls counted;
  for (std::size_t i = 0; i < batches; ++i) co_await one_batch();
  co_return counted.so_far();
}

}  // namespace

TEST_CASE("the counter sees operator new", "[alloc]") {
  const heap_calls counted;
  const auto block = std::make_unique<std::string>(100, 'x');
  CHECK(counted.so_far() == 2);
}

TEST_CASE("try_publish takes no memory", "[alloc]") {
  const testing::nats_server server;
  testing::run([&]() -> boost::asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const auto one_batch = [&]() -> boost::asio::awaitable<void> {
      publish_batch(nc);
      co_await nc.flush();
    };
    const std::size_t calls = co_await measure(one_batch);
    CHECK(calls < rounded_to_zero);
  });
}

TEST_CASE("receiving in a handler takes no memory", "[alloc]") {
  const testing::nats_server server;
  testing::run([&]() -> boost::asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    std::size_t received = 0;
    const auto count = [&received](const message_view&) { ++received; };
    const subscription sub = nc.subscribe("heap.calls", count);
    // The server delivers before it answers the flush.
    const auto one_batch = [&]() -> boost::asio::awaitable<void> {
      publish_batch(nc);
      co_await nc.flush();
    };
    const std::size_t calls = co_await measure(one_batch);
    CHECK(received == batch * (batches + 1));
    CHECK(calls < rounded_to_zero);
  });
}

// More wait than the thread keeps memory for: the rest comes from the heap, one block each.
TEST_CASE("next takes at most one block per message", "[alloc]") {
  const testing::nats_server server;
  testing::run([&]() -> boost::asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscription sub = nc.subscribe("heap.calls");
    const auto one_batch = [&]() -> boost::asio::awaitable<void> {
      publish_batch(nc);
      for (std::size_t i = 0; i < batch; ++i) {
        const message m = co_await sub.next(10s);
        REQUIRE(m.payload().size() == payload.size());
      }
    };
    const std::size_t calls = co_await measure(one_batch);
    CHECK(calls <= batch * batches + rounded_to_zero);
  });
}

TEST_CASE("next takes no memory for what has arrived, as long as it is not much", "[alloc]") {
  constexpr std::size_t at_once = batch / 2;
  const testing::nats_server server;
  testing::run([&]() -> boost::asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    subscription sub = nc.subscribe("heap.calls");
    const auto one_batch = [&]() -> boost::asio::awaitable<void> {
      for (std::size_t i = 0; i < at_once; ++i) REQUIRE_FALSE(nc.try_publish("heap.calls", payload));
      co_await nc.flush();
      for (std::size_t i = 0; i < at_once; ++i) {
        const message m = co_await sub.next(10s);
        REQUIRE(m.payload().size() == payload.size());
      }
    };
    const std::size_t calls = co_await measure(one_batch);
    CHECK(calls < rounded_to_zero);
  });
}

TEST_CASE("a request takes no memory", "[alloc]") {
  constexpr std::size_t requests = batch / 10;
  const testing::nats_server server;
  testing::run([&]() -> boost::asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const auto answer = [&nc](const message_view& m) { REQUIRE_FALSE(nc.try_publish(m.reply, m.payload)); };
    const subscription responder = nc.subscribe("heap.calls", answer);
    const auto one_batch = [&]() -> boost::asio::awaitable<void> {
      for (std::size_t i = 0; i < requests; ++i) {
        const message reply = co_await nc.request("heap.calls", payload);
        REQUIRE(reply.payload().size() == payload.size());
      }
    };
    const std::size_t calls = co_await measure(one_batch);
    CHECK(calls < rounded_to_zero);
  });
}
