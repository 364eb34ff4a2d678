// SPDX-License-Identifier: Apache-2.0
#include "fabric/subscription_core.hpp"

#include "fabric/concrete_consumers.hpp"
#include "fabric/topology.hpp"

#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace compass_fabric::fabric {

using boost::asio::awaitable;
using namespace std::chrono_literals;

namespace {

lease_book::limits lease_limits(const config& settings, const delivery_options& options) {
  return {settings.ack_wait, options.progress_cap, options.max_in_flight};
}

delivery_options fitted(delivery_options options, const config& settings) {
  const auto most = static_cast<std::size_t>(settings.max_ack_pending);
  options.prefetch = std::min(std::max(options.prefetch, options.max_in_flight), most);
  return options;
}

}  // namespace

std::optional<fault> check(const delivery_options& options) {
  const auto refuse = [](const char* text) { return fault{errc::invalid_config, text}; };
  const auto& retry = options.retry;
  if (options.max_in_flight < 1) return refuse("max_in_flight: must be 1 or more");
  if (options.prefetch < 1) return refuse("prefetch: must be 1 or more");
  if (options.progress_cap < 0ms) return refuse("progress_cap: must not be negative");
  if (options.pull_expiry < 100ms || options.pull_expiry > 24h)
    return refuse("pull_expiry: must be 100 ms to 24 hours");
  if (options.drift_interval < 0ms) return refuse("drift_interval: must not be negative");
  if (retry.transient_delay <= 0ms) return refuse("transient_delay: must be positive");
  if (retry.transient_max_delay < retry.transient_delay || retry.transient_max_delay > 24h) {
    return refuse("transient_max_delay: must be transient_delay to 24 hours");
  }
  if (retry.transient_limit < 0ms) return refuse("transient_limit: must not be negative");
  const auto bad = [](auto delay) { return delay < 0ms || delay > 24h; };
  if (std::ranges::any_of(retry.failure_delays, bad)) return refuse("failure_delays: must be 0 to 24 hours");
  return std::nullopt;
}

subscription_core::subscription_core(std::shared_ptr<const fabric_state> state, std::string subject, handler h,
                                     const delivery_options& options)
    : state_(std::move(state)),
      subject_(std::move(subject)),
      durable_(durable_name(subject_)),
      handler_(std::move(h)),
      options_(fitted(options, state_->settings)),
      watcher_(std::make_shared<park_watcher>(state_, durable_)),
      backlog_(lease_limits(state_->settings, options_), budget(), stats_),
      work_(get_executor()),
      room_(get_executor()),
      changed_(get_executor()),
      doubt_(get_executor()) {}

delivery_stats subscription_core::stats() const {
  auto now = stats_;
  now.in_hand = backlog_.size();
  now.parked += watcher_->parked();
  return now;
}

void subscription_core::start() {
  const life alive = std::make_shared<char>();
  alive_ = alive;
  auto loop = run(shared_from_this(), alive);
  boost::asio::co_spawn(get_executor(), std::move(loop), boost::asio::detached);
}

awaitable<void> subscription_core::run(self_ptr self, life /*alive*/) {
  try {
    co_await self->prepare();
  } catch (const system_error& e) {
    self->fail(e.code(), e.what());
  }
  if (self->stopping_) co_return;
  self->phase_ = phase::running;
  self->changed_.notify_all();
  const auto executor = self->get_executor();
  for (std::size_t n = 0; n != self->options_.max_in_flight; ++n) {
    auto worker = work(self);
    boost::asio::co_spawn(executor, std::move(worker), boost::asio::detached);
  }
  auto ticker = tick_leases(self);
  boost::asio::co_spawn(executor, std::move(ticker), boost::asio::detached);
  auto guard = guard_consumer(self);
  boost::asio::co_spawn(executor, std::move(guard), boost::asio::detached);
  co_await self->pump();
}

awaitable<void> subscription_core::prepare() {
  co_await ensure_consumer(*state_, subject_, options_.mode);
  co_await look_at_consumer();
  if (covers_every_tenant()) co_await report_overlap();
  // The first pull may set off an advisory about an event whose process died on its last delivery.
  watcher_->start();
  auto nc = state_->nc;
  co_await nc.flush();
}

bool subscription_core::covers_every_tenant() const { return comms_wildcard_subject::parse(subject_).has_value(); }

awaitable<void> subscription_core::report_overlap() {
  const auto kind = comms_wildcard_subject::parse(subject_)->kind();
  const auto concrete = co_await find_concrete_consumers(state_->js, kind);
  for (const auto& subject : concrete) state_->emit({.kind = fabric_event_kind::overlap, .subject = subject});
}

awaitable<void> subscription_core::ready(self_ptr self) {
  while (self->phase_ == phase::starting && !self->error_) co_await self->changed_.wait();
  if (self->error_) throw system_error(self->error_, self->error_text_);
  if (self->phase_ == phase::ended) throw system_error(make_error_code(errc::subscription_stopped), self->subject_);
}

awaitable<void> subscription_core::stop(self_ptr self, std::chrono::milliseconds timeout) {
  self->begin_stop(timeout);
  co_await closed(self);
}

awaitable<error_code> subscription_core::closed(self_ptr self) {
  while (self->phase_ != phase::ended) co_await self->changed_.wait();
  co_return self->error_;
}

void subscription_core::fail(error_code error, std::string text) {
  error_ = error;
  error_text_ = std::move(text);
  begin_stop(0ms);
}

void subscription_core::begin_stop(std::chrono::milliseconds timeout) {
  stop_deadline_ = std::min(stop_deadline_, after(clock::now(), std::max(timeout, 0ms)));
  changed_.notify_all();
  if (std::exchange(stopping_, true)) return;
  work_.notify_all();
  room_.notify_all();
  doubt_.notify_all();
  auto end = shut_down(shared_from_this(), alive_.lock());
  boost::asio::co_spawn(get_executor(), std::move(end), boost::asio::detached);
}

awaitable<void> subscription_core::wait_until_answered(clock::time_point end) {
  while (!backlog_.empty() && clock::now() < std::min(end, stop_deadline_)) {
    co_await changed_.wait(std::min(end, stop_deadline_));
  }
}

/// What the workers, which take no more, have left.
awaitable<void> subscription_core::give_back_waiting() {
  while (const auto d = backlog_.take(clock::now())) {
    co_await give_back(*d);
    finish(*d);
  }
}

awaitable<void> subscription_core::give_back_all() {
  const auto left = backlog_.all();
  for (const auto& d : left) {
    if (!d->message.answered()) co_await give_back(*d);
    finish(*d);
  }
}

awaitable<void> subscription_core::shut_down(self_ptr self, life /*alive*/) {
  auto& backlog = self->backlog_;
  backlog.hand_back_waiting();
  co_await self->close_flow();
  co_await self->give_back_waiting();
  co_await self->wait_until_answered(clock::time_point::max());
  if (!backlog.empty()) {
    backlog.recall();
    self->stop_deadline_ = clock::time_point::max();
    co_await self->wait_until_answered(clock::now() + 1s);
  }
  co_await self->give_back_all();
  self->watcher_->stop();
  auto nc = self->state_->nc;
  try {
    co_await nc.flush(2s);
  } catch (const system_error&) {
    // Without a link the answers stay in the outbound buffer.
  }
  self->phase_ = phase::ended;
  self->changed_.notify_all();
}

}  // namespace compass_fabric::fabric
