// SPDX-License-Identifier: Apache-2.0
#include "jetstream/wait_list.hpp"

#include <compass_fabric/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

asio::awaitable<bool> wait_list::wait(time_point deadline) {
  entry self(executor_, deadline);
  entries_.push_back(self);
  co_await self.timer.async_wait(asio::as_tuple(asio::use_awaitable));
  const auto state = co_await asio::this_coro::cancellation_state;
  if (state.cancelled() != asio::cancellation_type::none) {
    if (self.woken) wake_one();
    throw system_error(asio::error::operation_aborted);
  }
  co_return self.woken;
}

void wait_list::wake_one() noexcept {
  if (entries_.empty()) return;
  auto& first = entries_.front();
  entries_.pop_front();
  first.woken = true;
  first.timer.cancel();
}

void wait_list::wake_all() noexcept {
  while (!entries_.empty()) wake_one();
}

}  // namespace compass_fabric::jetstream
