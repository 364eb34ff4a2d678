// SPDX-License-Identifier: Apache-2.0
// The intake of a subscription. Events are taken from the flow as they arrive, so that each has a lease of ours from
// the first moment; when enough are in hand the flow is closed, and opened again when half of them are done. A flow
// that was left open would go on asking for more, or keep events where nobody renews them.
#include "fabric/stream_check.hpp"
#include "fabric/subscription_core.hpp"
#include "fabric/topology.hpp"

#include <compass_fabric/jetstream/error.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <utility>

namespace compass_fabric::fabric {

using boost::asio::awaitable;
using namespace std::chrono_literals;

namespace {

/// Nothing will flow on this connection any more.
bool final(const error_code& error) {
  return error == compass_fabric::errc::connection_closed || error == compass_fabric::errc::draining;
}

}  // namespace

bool subscription_core::room() const {
  return !backlog_.stuck() && backlog_.in_hand(clock::now()) < (options_.prefetch + 1) / 2;
}

awaitable<void> subscription_core::pump() {
  const auto self = shared_from_this();
  auto pause = 0ms;
  while (!stopping_) {
    if (!room()) {
      co_await room_.wait();
      continue;
    }
    const auto failure = co_await flow_once();
    co_await close_flow();
    if (!failure || stopping_) {
      pause = 0ms;
      continue;
    }
    if (final(failure)) {
      fail(failure, subject_);
      co_return;
    }
    state_->emit({.kind = fabric_event_kind::flow_interrupted, .subject = subject_, .error = failure});
    co_await changed_.wait(clock::now() + pause);
    pause = std::clamp(2 * pause, 100ms, 2000ms);
    if (!stopping_) co_await recover(failure);
  }
}

awaitable<error_code> subscription_core::flow_once() {
  jetstream::consume_options options;
  options.max_messages = std::max<std::size_t>(options_.prefetch / 2, 1);
  options.expires = options_.pull_expiry;
  const auto weak = weak_from_this();
  options.on_event = [weak](const jetstream::consume_event& e) {
    if (const auto self = weak.lock()) self->on_flow_event(e);
  };
  try {
    stream_ = state_->js.consumer(comms_stream_name, durable_).consume(options);
    flow_ = flow_phase::open;
    // What is asked for and not here yet comes on top: together never more than `prefetch`.
    const auto enough = std::max<std::size_t>(options_.prefetch - options.max_messages, 1);
    while (!stopping_ && !backlog_.stuck() && backlog_.in_hand(clock::now()) < enough) {
      auto m = co_await stream_.next(1s);
      if (m) accept(std::move(*m));
    }
  } catch (const system_error& e) {
    co_return e.code();
  }
  co_return error_code{};
}

/// Called by the pump and by the stop, whichever comes first; both go on when nothing arrives any more.
awaitable<void> subscription_core::close_flow() {
  if (flow_ == flow_phase::open) {
    flow_ = flow_phase::closing;
    try {
      co_await stream_.stop(stopping_ ? jetstream::stop_mode::release : jetstream::stop_mode::drain);
    } catch (const system_error&) {
      // Stopped all the same; what was under way comes again after the ack wait.
    }
    while (auto m = stream_.try_next()) accept(std::move(*m));
    flow_ = flow_phase::closed;
    changed_.notify_all();
  }
  while (flow_ == flow_phase::closing) co_await changed_.wait();
}

void subscription_core::accept(jetstream::message m) {
  if (stopping_) {
    backlog_.add(std::move(m), clock::now());
    backlog_.hand_back_waiting();
    return;
  }
  ++stats_.delivered;
  if (m.has_metadata()) {
    if (m.metadata().delivered > 1) ++stats_.redelivered;
    state_->position->saw(m.metadata().stream_sequence);
  }
  backlog_.add(std::move(m), clock::now());
  work_.notify_all();
}

awaitable<void> subscription_core::recover(error_code why) {
  if (why != jetstream::errc::consumer_deleted && why != jetstream::errc::consumer_not_found) co_return;
  try {
    co_await recreate_consumer();
  } catch (const system_error& e) {
    state_->emit(
        {.kind = fabric_event_kind::flow_interrupted, .subject = subject_, .error = e.code(), .text = e.what()});
  }
}

awaitable<void> subscription_core::recreate_consumer() {
  co_await ensure_consumer(*state_, subject_, options_.mode);
  state_->emit({.kind = fabric_event_kind::consumer_recreated, .subject = subject_});
}

void subscription_core::on_flow_event(const jetstream::consume_event& e) {
  using kind = jetstream::consume_event_kind;
  if (e.kind == kind::pull_lost) {
    state_->emit({.kind = fabric_event_kind::flow_interrupted, .subject = subject_, .error = e.error, .text = e.text});
  }
  // A link that is back may lead to a server that came back with older data.
  if (e.kind == kind::pull_lost || e.kind == kind::consumer_missing || e.kind == kind::resumed) {
    consumer_in_doubt_ = true;
    doubt_.notify_all();
  }
}

awaitable<void> subscription_core::tick_leases(self_ptr self) {
  while (!self->stopping_ || !self->backlog_.empty()) {
    co_await self->changed_.wait(clock::now() + self->backlog_.interval());
    const auto handed_back = self->backlog_.tick(clock::now());
    if (handed_back != 0) {
      self->state_->emit({.kind = fabric_event_kind::stuck, .subject = self->subject_, .count = handed_back});
    }
    // Leases may have lapsed, which makes room as an answer does.
    if (self->room()) self->room_.notify_all();
  }
}

awaitable<void> subscription_core::guard_consumer(self_ptr self) {
  const auto interval = self->options_.drift_interval;
  while (!self->stopping_) {
    const auto next = interval == 0ms ? clock::time_point::max() : after(clock::now(), interval);
    while (!self->stopping_ && !self->consumer_in_doubt_ && clock::now() < next) co_await self->doubt_.wait(next);
    // Doubts come in bursts when a server goes away: one look in a while is enough.
    if (self->consumer_in_doubt_ && !self->stopping_) co_await self->changed_.wait(clock::now() + 500ms);
    if (!self->stopping_) co_await self->look_at_consumer();
  }
}

awaitable<void> subscription_core::look_at_consumer() {
  consumer_in_doubt_ = false;
  try {
    co_await check_consumer();
  } catch (const system_error&) {
    // The server does not answer now; the flow reports that. The next round looks again.
  }
}

// The consumer first: it cannot have delivered what its stream got later.
awaitable<void> subscription_core::check_consumer() {
  const auto info = co_await find_consumer(state_->js, durable_);
  const auto last = co_await check_stream(*state_);
  if (stopping_) co_return;
  if (!info) {
    co_await recreate_consumer();
    co_return;
  }
  const auto declared = declared_consumer(state_->settings, subject_);
  report_once(fabric_event_kind::drift, describe(jetstream::differences(declared, info->config)), reported_drift_);
  report_once(fabric_event_kind::consumer_ahead, ahead_of_stream(*info, last), reported_ahead_);
}

/// Reports a condition when it begins or changes.
void subscription_core::report_once(fabric_event_kind kind, const std::string& text, std::string& reported) {
  if (text == reported) return;
  reported = text;
  if (!text.empty()) state_->emit({.kind = kind, .subject = subject_, .text = text});
}

}  // namespace compass_fabric::fabric
