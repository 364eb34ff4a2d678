// SPDX-License-Identifier: Apache-2.0
// Operations that wait for something to happen to an object, each with a deadline.
#pragma once

#include <chrono>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

namespace compass_fabric::jetstream {

/// Name the result of `wait` before testing it: g++ 12 lays the frame out wrongly for a co_await inside a condition.
/// Lifetime: whoever waits must keep the list alive. Threads: one executor.
class wait_list {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit wait_list(boost::asio::any_io_executor executor) noexcept : executor_(std::move(executor)) {}

  /// True when woken, false when `deadline` passed. Cancelled: throws `operation_aborted`, and a wake-up that came at
  /// the same moment goes to the next in line.
  boost::asio::awaitable<bool> wait(time_point deadline);
  void wake_one() noexcept;
  void wake_all() noexcept;

 private:
  struct entry : boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
    entry(const boost::asio::any_io_executor& executor, time_point deadline) : timer(executor, deadline) {}
    boost::asio::steady_timer timer;
    bool woken = false;
  };

  boost::asio::any_io_executor executor_;
  boost::intrusive::list<entry, boost::intrusive::constant_time_size<false>> entries_;
};

}  // namespace compass_fabric::jetstream
