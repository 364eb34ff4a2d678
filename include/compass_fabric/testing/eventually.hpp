// SPDX-License-Identifier: Apache-2.0
// Waiting for a condition instead of for a time.
//
// Never write co_await inside CHECK or REQUIRE: with g++ the macro's expression is awaited twice.
//
//   co_await until([&] { return received == 3; });
//   const bool came = co_await eventually([&] { return received == 4; }, milliseconds{50});
//   CHECK(eventually_blocking([&] { return server.log().find("reload") != std::string::npos; }));
#pragma once

#include <compass_fabric/testing/deadline.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace compass_fabric::testing {

/// Time between two looks at a condition.
inline constexpr milliseconds poll_interval{2};

/// True as soon as `condition()` is; false when it is not within `limit`. The executor runs between two looks.
template <class Condition>
boost::asio::awaitable<bool> eventually(Condition condition, milliseconds limit = default_wait) {
  const deadline end(limit);
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
  while (!condition()) {
    if (end.passed()) co_return false;
    timer.expires_after(poll_interval);
    co_await timer.async_wait(boost::asio::use_awaitable);
  }
  co_return true;
}

/// As `eventually`, but throws `std::runtime_error` when the condition does not hold in time: the test fails there.
template <class Condition>
boost::asio::awaitable<void> until(Condition condition, milliseconds limit = default_wait) {
  const bool holds = co_await eventually(std::move(condition), limit);
  if (!holds) throw std::runtime_error("until: no such condition within " + std::to_string(limit.count()) + " ms");
}

/// `eventually` for a thread that may block.
template <class Condition>
bool eventually_blocking(Condition condition, milliseconds limit = default_wait) {
  const deadline end(limit);
  while (!condition()) {
    if (end.passed()) return false;
    std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

}  // namespace compass_fabric::testing
