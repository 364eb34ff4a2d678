// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/subscription.hpp>

#include <boost/asio/dispatch.hpp>

#include "client/connection_core.hpp"

namespace compass_fabric {

namespace asio = boost::asio;
using client::subscription_state;

namespace {

// Ends the subscription of a handle that goes away, on the connection's executor; nothing to do once it has ended.
void let_go(std::shared_ptr<subscription_state> state) noexcept {
  if (!state) return;
  auto& core = state->core();
  if (core.finished()) return;
  asio::dispatch(core.turns().executor(), [s = std::move(state)] { s->core().unsubscribe(*s); });
}

}  // namespace

subscription::subscription(std::shared_ptr<subscription_state> state) noexcept : state_(std::move(state)) {}

subscription& subscription::operator=(subscription&& other) noexcept {
  if (this != &other) let_go(std::exchange(state_, std::move(other.state_)));
  return *this;
}

subscription::~subscription() { let_go(std::move(state_)); }

asio::awaitable<message> subscription::next(std::chrono::milliseconds timeout) { return state_->next(timeout, state_); }

asio::awaitable<std::vector<message>> subscription::next_batch(std::chrono::milliseconds timeout, std::size_t max) {
  return state_->next_batch(timeout, max, state_);
}

std::optional<message> subscription::try_next() { return state_->try_next(); }

void subscription::unsubscribe() noexcept {
  if (state_) state_->core().unsubscribe(*state_);
}

void subscription::unsubscribe_after(std::uint64_t max) { state_->core().unsubscribe_after(*state_, max); }

asio::awaitable<void> subscription::drain(std::chrono::milliseconds timeout) {
  return state_->core().drain_subscription(state_, timeout);
}

std::string_view subscription::subject() const noexcept { return state_->subject; }
std::string_view subscription::queue() const noexcept { return state_->queue; }
subscription_stats subscription::stats() const noexcept { return state_->stats(); }
bool subscription::active() const noexcept { return state_ && state_->active(); }
error_code subscription::last_error() const noexcept { return state_->reason(); }

}  // namespace compass_fabric
