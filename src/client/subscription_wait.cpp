// SPDX-License-Identifier: Apache-2.0
// Those who wait at a subscription: callers of next and next_batch, of drain and barrier.
#include <algorithm>

#include "client/connection_core.hpp"
#include "client/subscription_state.hpp"

namespace compass_fabric::client {

bool subscription_state::idle() const noexcept {
  return waiting_->messages.empty() && (!waiting_->handlers || waiting_->handlers->progress.size() == 0);
}

void subscription_state::require_takers() const {
  if (!waiting_ || waiting_->handlers)
    throw_error(errc::invalid_option, "next on " + subject + ", which has a handler");
}

std::optional<message> subscription_state::try_next() {
  if (!waiting_ || waiting_->handlers || waiting_->messages.empty()) return std::nullopt;
  return take();
}

// A woken caller that was cancelled meanwhile leaves the message in the queue: the next call returns it, and hands the
// wake-up on to the next caller.
asio::awaitable<void> subscription_state::filled(std::chrono::milliseconds timeout) {
  const auto deadline = proto::deadline_after(scheduler::now(), timeout);
  auto& messages = waiting_->messages;
  auto& takers = waiting_->takers;
  while (messages.empty()) {
    if (ended_) throw_error(reason_ ? reason_ : error_code(errc::subscription_closed), subject);
    waiter w(core_->turns());
    takers.push_back(w);
    core_->turns().set_deadline(w, deadline);
    const auto result = co_await w.wait();
    const auto cancelled = (co_await asio::this_coro::cancellation_state).cancelled();
    if (result.error || cancelled != asio::cancellation_type::none) {
      if (!messages.empty() && !takers.empty()) takers.front().complete({});
      throw_error(result.error ? result.error : error_code(asio::error::operation_aborted), subject);
    }
  }
}

asio::awaitable<message> subscription_state::next(std::chrono::milliseconds timeout,
                                                  std::shared_ptr<subscription_state> /*keep_alive*/) {
  require_takers();
  if (waiting_->messages.empty()) co_await filled(timeout);
  message m = take();
  if (!waiting_->messages.empty() && !waiting_->takers.empty()) waiting_->takers.front().complete({});
  co_return m;
}

asio::awaitable<std::vector<message>> subscription_state::next_batch(
    std::chrono::milliseconds timeout, std::size_t most, std::shared_ptr<subscription_state> /*keep_alive*/) {
  require_takers();
  if (waiting_->messages.empty()) co_await filled(timeout);
  const std::size_t waiting_now = waiting_->messages.size();
  std::size_t count = most == 0 ? waiting_now : std::min(most, waiting_now);
  std::vector<message> batch;
  batch.reserve(count);
  for (; count != 0; --count) batch.push_back(take());
  if (!waiting_->messages.empty() && !waiting_->takers.empty()) waiting_->takers.front().complete({});
  co_return batch;
}

asio::awaitable<bool> subscription_state::emptied(proto::time_point until) {
  while (waiting_ && !idle()) {
    if (core_->ended()) throw_error(errc::connection_closed, subject);  // a handler at work would tell nobody
    waiter w(core_->turns());
    waiting_->watchers.push_back(w);
    core_->turns().set_deadline(w, until);
    const auto result = co_await w.wait();
    if (result.error == errc::timeout) co_return false;
    throw_if(result.error, subject);
  }
  co_return true;
}

}  // namespace compass_fabric::client
