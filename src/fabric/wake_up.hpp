// SPDX-License-Identifier: Apache-2.0
// A condition variable for coroutines of one executor: a waiter looks at its condition, waits, and looks again.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <list>

namespace compass_fabric::fabric {

/// `now + wait`, or never where that is beyond the clock's range. `wait` is not negative.
inline std::chrono::steady_clock::time_point after(std::chrono::steady_clock::time_point now,
                                                   std::chrono::milliseconds wait) {
  constexpr auto never = std::chrono::steady_clock::time_point::max();
  return wait > std::chrono::floor<std::chrono::milliseconds>(never - now) ? never : now + wait;
}

class wake_up {
 public:
  using clock = std::chrono::steady_clock;

  explicit wake_up(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// Waits for the next `notify_all`, or until `end`; may wake early.
  boost::asio::awaitable<void> wait(clock::time_point end = clock::time_point::max()) {
    const place mine(*this, end);
    co_await mine.at->async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }
  void notify_all() {
    for (auto& waiter : waiters_) waiter.cancel();
  }

 private:
  using timers = std::list<boost::asio::steady_timer>;
  // Leaves the list when its coroutine goes on or is destroyed.
  struct place {
    place(wake_up& o, clock::time_point end) : owner(o) {
      owner.waiters_.emplace_back(owner.executor_, end);
      at = std::prev(owner.waiters_.end());
    }
    ~place() { owner.waiters_.erase(at); }
    place(const place&) = delete;
    place& operator=(const place&) = delete;
    wake_up& owner;
    timers::iterator at;
  };

  boost::asio::any_io_executor executor_;
  timers waiters_;
};

}  // namespace compass_fabric::fabric
