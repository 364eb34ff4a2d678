// SPDX-License-Identifier: Apache-2.0
#include "client/subscription_state.hpp"

#include "client/connection_core.hpp"

namespace compass_fabric::client {

subscription_state::subscription_state(std::shared_ptr<connection_core> core, std::string_view subject_name,
                                       message_handler handler, const subscribe_options& options)
    : core_(std::move(core)),
      handler_(std::move(handler)),
      message_limit_(options.pending_messages_limit),
      byte_limit_(options.pending_bytes_limit),
      policy_(options.at_limit) {
  subject = subject_name;
  queue = options.queue;
  max = options.max_messages;
}

subscription_state::~subscription_state() {
  if (active()) core_->in().registry().remove(*this);
}

bool subscription_state::over_limits(std::size_t bytes) const noexcept {
  return (message_limit_ != 0 && queue_.size() >= message_limit_) ||
         (byte_limit_ != 0 && !queue_.empty() && queue_.bytes() + bytes > byte_limit_);
}

// How many waiting messages were dropped for a new one of `bytes`.
std::size_t subscription_state::make_room(std::size_t bytes) {
  std::size_t dropped = 0;
  while (over_limits(bytes)) {
    queue_.pop();
    ++dropped;
  }
  return dropped;
}

std::size_t subscription_state::deliver(const message_view& m) {
  if (handler_) {
    core_->turns().guarded([&] { handler_(m); });
    return 0;
  }
  std::size_t dropped = 0;
  if (over_limits(m.size())) {
    if (policy_ == limit_policy::drop_newest) {
      ++dropped_;
      return 1;
    }
    dropped = make_room(m.size());
    dropped_ += dropped;
  }
  queue_.push(message(m));
  if (!waiters_.empty()) waiters_.front().complete({});
  return dropped;
}

bool subscription_state::begins_slow_episode() noexcept { return !std::exchange(slow_, true); }

void subscription_state::end(error_code reason) noexcept {
  if (std::exchange(ended_, true)) return;
  reason_ = reason;
  complete_all(waiters_, {});  // they take what is left, then see the end
}

message subscription_state::take() {
  message m = queue_.pop();
  if (slow_ && queue_.size() <= message_limit_ / 2 && queue_.bytes() <= byte_limit_ / 2) slow_ = false;
  if (queue_.empty()) complete_all(draining_, {});
  return m;
}

std::optional<message> subscription_state::try_next() {
  if (queue_.empty()) return std::nullopt;
  return take();
}

// A woken caller that was cancelled meanwhile leaves the message in the queue: the next call returns it, and hands the
// wake-up on to the next caller.
asio::awaitable<message> subscription_state::next(std::chrono::milliseconds timeout,
                                                  std::shared_ptr<subscription_state> /*keep_alive*/) {
  proto::time_point deadline{};
  if (queue_.empty()) deadline = proto::deadline_after(scheduler::now(), timeout);  // else the clock need not be read
  while (queue_.empty()) {
    if (ended_) throw_error(reason_ ? reason_ : error_code(errc::subscription_closed), subject);
    waiter w(core_->turns());
    waiters_.push_back(w);
    core_->turns().set_deadline(w, deadline);
    const auto result = co_await w.wait();
    const auto cancelled = (co_await asio::this_coro::cancellation_state).cancelled();
    if (result.error || cancelled != asio::cancellation_type::none) {
      if (!queue_.empty() && !waiters_.empty()) waiters_.front().complete({});
      throw_error(result.error ? result.error : error_code(asio::error::operation_aborted), subject);
    }
  }
  message m = take();
  if (!queue_.empty() && !waiters_.empty()) waiters_.front().complete({});
  co_return m;
}

asio::awaitable<bool> subscription_state::emptied(proto::time_point until) {
  while (!queue_.empty()) {
    waiter w(core_->turns());
    draining_.push_back(w);
    core_->turns().set_deadline(w, until);
    const auto result = co_await w.wait();
    if (result.error == errc::timeout) co_return false;
    throw_if(result.error, subject);
  }
  co_return true;
}

subscription_stats subscription_state::stats() const noexcept {
  return {delivered, dropped_, queue_.size(), queue_.bytes()};
}

}  // namespace compass_fabric::client
