// SPDX-License-Identifier: Apache-2.0
#include "fabric/subscription_core.hpp"

#include <compass_fabric/fabric/event_subscription.hpp>

#include <boost/asio/dispatch.hpp>

#include <utility>

namespace compass_fabric::fabric {
namespace {

void end(std::shared_ptr<subscription_core> core) {
  if (!core || core->over()) return;
  const auto executor = core->get_executor();
  boost::asio::dispatch(executor, [c = std::move(core)] { c->begin_stop(std::chrono::milliseconds(0)); });
}

}  // namespace

event_subscription::event_subscription(std::shared_ptr<subscription_core> core) noexcept : core_(std::move(core)) {}

event_subscription& event_subscription::operator=(event_subscription&& other) noexcept {
  if (this != &other) end(std::exchange(core_, std::move(other.core_)));
  return *this;
}

event_subscription::~event_subscription() { end(std::move(core_)); }

boost::asio::awaitable<void> event_subscription::ready() { return subscription_core::ready(core_); }

boost::asio::awaitable<void> event_subscription::stop(std::chrono::milliseconds timeout) {
  return subscription_core::stop(core_, timeout);
}

boost::asio::awaitable<error_code> event_subscription::closed() { return subscription_core::closed(core_); }

std::string_view event_subscription::subject() const noexcept { return core_->subject(); }

std::string_view event_subscription::durable() const noexcept { return core_->durable(); }

delivery_stats event_subscription::stats() const { return core_->stats(); }

}  // namespace compass_fabric::fabric
