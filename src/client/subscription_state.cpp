// SPDX-License-Identifier: Apache-2.0
#include "client/subscription_state.hpp"

#include "client/connection_core.hpp"

namespace compass_fabric::client {

struct subscription_state::watch {
  watch(subscription_state& s, const proto::watch_limits& limits)
      : rule(limits, scheduler::now()), check([&s] { s.check_watch(); }) {}
  proto::subscription_watch rule;
  alarm check;
};

subscription_state::subscription_state(std::shared_ptr<connection_core> core, std::string_view subject_name,
                                       message_handler handler, const subscribe_options& options)
    : core_(std::move(core)), handler_(std::move(handler)) {
  if (!handler_) waiting_ = std::make_unique<waiting>(options);
  prepare(subject_name, options);
}

subscription_state::subscription_state(std::shared_ptr<connection_core> core, std::string_view subject_name,
                                       coroutine_handler handler, const subscribe_options& options)
    : core_(std::move(core)), waiting_(std::make_unique<waiting>(options)) {
  waiting_->handlers = std::make_unique<workers>();
  waiting_->handlers->handler = std::make_shared<coroutine_handler>(std::move(handler));
  waiting_->handlers->limit = options.max_concurrency;
  prepare(subject_name, options);
}

subscription_state::~subscription_state() {
  if (active()) core_->in().registry().remove(*this);
}

// A plain handler is wrapped to note the time, so that those without time limits pay nothing for them.
void subscription_state::prepare(std::string_view subject_name, const subscribe_options& options) {
  subject = subject_name;
  queue = options.queue;
  max = options.max_messages;
  const proto::watch_limits limits{options.first_timeout, options.idle_timeout, options.total_timeout};
  if (!limits.any()) return;
  watch_ = std::make_unique<watch>(*this, limits);
  if (!handler_) return;
  handler_ = [rule = &watch_->rule, handler = std::move(handler_)](const message_view& m) {
    rule->on_message(scheduler::now());
    handler(m);
  };
}

void subscription_state::start() {
  if (watch_) core_->turns().set_deadline(watch_->check, watch_->rule.due());
}

void subscription_state::check_watch() {
  if (ended_) return;
  if (watch_->rule.expired(scheduler::now())) {
    core_->withdraw(*this, errc::timeout);
  } else {
    core_->turns().set_deadline(watch_->check, watch_->rule.due());
  }
}

std::size_t subscription_state::deliver(const message_view& m) {
  if (handler_) {
    core_->turns().guarded([&] { handler_(m); });
    return 0;
  }
  if (watch_) watch_->rule.on_message(scheduler::now());
  const std::size_t dropped = waiting_->messages.push(m);
  if (may_stop_reader() && !std::exchange(waiting_->stops_reader, true)) core_->in().stop_reading();
  wake_one();
  return dropped;
}

// What comes to a subscription that ends is all there will be; silence would only keep its end away.
bool subscription_state::may_stop_reader() const noexcept {
  return waiting_->messages.wants_stop() && !ended_ && !waiting_->draining;
}

void subscription_state::begin_drain() noexcept {
  if (!waiting_) return;
  waiting_->draining = true;
  let_reader_go_on();
}

void subscription_state::wake_one() {
  if (!waiting_->takers.empty()) {
    waiting_->takers.front().complete({});
  } else if (waiting_->handlers && waiting_->handlers->started < waiting_->handlers->limit) {
    add_worker();
  }
}

bool subscription_state::begins_slow_episode() noexcept { return !std::exchange(waiting_->slow, true); }

void subscription_state::end(error_code reason) noexcept {
  if (std::exchange(ended_, true)) return;
  reason_ = reason;
  if (watch_) core_->turns().clear_deadline(watch_->check);
  if (!waiting_) return;
  let_reader_go_on();
  complete_all(waiting_->takers, {});  // they take what is left, then see the end
}

void subscription_state::drop_handler() noexcept {
  handler_ = nullptr;
  // Workers that still have messages to handle own the coroutine handler together; the last one lets it go.
  if (waiting_ && waiting_->handlers && idle()) waiting_->handlers->handler.reset();
}

void subscription_state::discard_pending() noexcept {
  if (!waiting_) return;
  waiting_->messages.clear();
  let_reader_go_on();
  complete_all(waiting_->watchers, {});
}

void subscription_state::let_reader_go_on() noexcept {
  if (!std::exchange(waiting_->stops_reader, false)) return;
  if (core_->in().go_on_reading()) core_->resume_reading();
}

message subscription_state::take() {
  message m = waiting_->messages.pop();
  if (waiting_->messages.has_room()) {
    waiting_->slow = false;
    let_reader_go_on();
  }
  if (!waiting_->watchers.empty() && idle()) complete_all(waiting_->watchers, {});
  return m;
}

subscription_stats subscription_state::stats() const noexcept {
  subscription_stats s;
  s.received = s.delivered = delivered;
  if (!waiting_) return s;
  const auto& messages = waiting_->messages;
  s.dropped = messages.dropped();
  s.pending_messages = messages.size();
  s.pending_bytes = messages.bytes();
  s.delivered = delivered - messages.dropped() - messages.discarded() - messages.size();
  s.max_pending_messages = messages.most_messages();
  s.max_pending_bytes = messages.most_bytes();
  return s;
}

}  // namespace compass_fabric::client
