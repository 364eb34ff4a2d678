// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/run.hpp>

#include <compass_fabric/testing/eventually.hpp>
#include "testing/free_port.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <catch2/catch_test_macros.hpp>

#include <set>
#include <stdexcept>

namespace asio = boost::asio;
using namespace compass_fabric::testing;

namespace {

asio::awaitable<void> wait_for(milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

TEST_CASE("run returns what the coroutine returns", "[support]") {
  CHECK(run([]() -> asio::awaitable<int> { co_return 7; }) == 7);
}

TEST_CASE("run throws what the coroutine throws", "[support]") {
  const auto body = []() -> asio::awaitable<void> {
    co_await wait_for(milliseconds{1});
    throw std::out_of_range("from inside");
  };
  CHECK_THROWS_AS(run(body), std::out_of_range);
}

TEST_CASE("run ends a coroutine that waits for ever at its deadline", "[support]") {
  const auto body = []() -> asio::awaitable<void> { co_await wait_for(std::chrono::hours{1}); };
  CHECK_THROWS_AS(run(body, milliseconds{30}), std::runtime_error);
}

TEST_CASE("run_to_idle finds work that is left behind", "[support]") {
  const auto leaves = []() -> asio::awaitable<void> {
    auto work = wait_for(std::chrono::hours{1});
    asio::co_spawn(co_await asio::this_coro::executor, std::move(work), asio::detached);
  };
  const auto leaves_nothing = []() -> asio::awaitable<void> { co_await wait_for(milliseconds{1}); };
  CHECK_THROWS_AS(run_to_idle(leaves, milliseconds{50}), std::runtime_error);
  CHECK_NOTHROW(run_to_idle(leaves_nothing));
}

TEST_CASE("eventually lets the executor run until the condition holds", "[support]") {
  bool late = false;
  const auto body = [&]() -> asio::awaitable<bool> {
    auto work = wait_for(milliseconds{10});
    asio::co_spawn(co_await asio::this_coro::executor, std::move(work), [&late](std::exception_ptr) { late = true; });
    co_return co_await eventually([&late] { return late; });
  };
  CHECK(run(body));
}

TEST_CASE("eventually says no when its deadline passes", "[support]") {
  const auto body = []() -> asio::awaitable<bool> {
    co_return co_await eventually([] { return false; }, milliseconds{10});
  };
  CHECK_FALSE(run(body));
  CHECK_FALSE(eventually_blocking([] { return false; }, milliseconds{10}));
}

TEST_CASE("a free port is given once", "[support]") {
  std::set<std::uint16_t> ports;
  for (int i = 0; i < 100; ++i) ports.insert(free_port());
  CHECK(ports.size() == 100);
}
