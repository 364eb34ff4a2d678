// SPDX-License-Identifier: Apache-2.0
// The work of a subscription: decode, run the handler under a guard, answer. `decide` (retry.hpp) rules on the answer.
#include "fabric/dead_letter_post.hpp"
#include "fabric/subscription_core.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <utility>

namespace compass_fabric::fabric {

using boost::asio::awaitable;
using boost::asio::use_awaitable;

namespace {

event make_event(const jetstream::message& m) {
  event e;
  e.subject = m.subject();
  if (m.has_metadata()) {
    e.stream_sequence = m.metadata().stream_sequence;
    e.num_delivered = m.metadata().delivered;
  }
  return e;
}

awaitable<void> run_handler(const handler& h, delivery& d, const event& e) {
  const auto executor = co_await boost::asio::this_coro::executor;
  if (const auto* function = h.as_plain()) {
    (*function)(e);
    // Plain handlers may follow one another without a wait; the reader gets its turn here.
    co_await boost::asio::post(executor, use_awaitable);
    co_return;
  }
  auto operation = (*h.as_awaiting())(e);
  auto cancellable = boost::asio::bind_cancellation_slot(d.cancel.slot(), use_awaitable);
  co_await boost::asio::co_spawn(executor, std::move(operation), cancellable);
}

/// Runs the handler once; whatever it throws ends up in `finished`, nothing leaves.
awaitable<void> run_guarded(const handler& h, delivery& d, const event& e, attempt& finished) {
  try {
    co_await run_handler(h, d, e);
    finished.result = outcome::handled;
    finished.error.clear();
  } catch (const transient_error& t) {
    finished.result = outcome::transient;
    finished.error = t.what();
  } catch (const std::exception& x) {
    finished.result = outcome::failed;
    finished.error = x.what();
  } catch (...) {
    finished.result = outcome::failed;
    finished.error = "the handler threw something that is no std::exception";
  }
}

}  // namespace

awaitable<void> subscription_core::work(self_ptr self) {
  for (;;) {
    auto d = co_await self->next_delivery();
    if (!d) co_return;
    co_await self->process(std::move(d));
  }
}

awaitable<delivery_ptr> subscription_core::next_delivery() {
  while (!stopping_) {
    if (held_ == 0) {
      if (auto d = backlog_.take(clock::now())) co_return d;
    }
    co_await work_.wait();
  }
  co_return nullptr;
}

awaitable<void> subscription_core::process(delivery_ptr d) {
  if (backlog_.lapsed(*d, clock::now())) {
    ++stats_.lapsed;
    report(fabric_event_kind::lapsed, d->message, {});
    finish(*d);
    co_return;
  }
  auto e = make_event(d->message);
  if (!e.num_delivered) {
    ++stats_.metadata_unreadable;
    report(fabric_event_kind::metadata_unreadable, d->message, {});
  }
  auto decoded = decode_event_ref(d->message.payload());
  attempt finished{outcome::undecodable, {}, e.num_delivered};
  if (decoded.has_error()) {
    ++stats_.malformed;
    finished.error = decoded.error().text;
    report(fabric_event_kind::malformed, d->message, {}, finished.error);
  } else {
    e.ref = std::move(*decoded);
    co_await run_attempt(*d, e, finished);
  }
  co_await answer(*d, finished);
  finish(*d);
}

awaitable<void> subscription_core::run_attempt(delivery& d, const event& e, attempt& finished) {
  unsigned outages = 0;
  clock::time_point held_since;
  for (;;) {
    co_await run_guarded(handler_, d, e, finished);
    const auto now = clock::now();
    finished.lapsed = backlog_.lapsed(d, now);
    if (finished.result != outcome::transient) break;
    ++stats_.transient;
    if (outages == 0) held_since = now;
    finished.held = std::chrono::ceil<std::chrono::milliseconds>(now - held_since);
    if (decide(finished, options_.retry, budget()).what != verdict::hold) break;
    if (outages++ == 0) ++held_;
    report(fabric_event_kind::paused, d.message, {}, finished.error);
    const bool again = co_await sit_out(d, outages);  // named: g++ 12 may misplace a co_await inside a condition
    if (!again) break;
  }
  if (outages == 0) co_return;
  --held_;
  work_.notify_all();
  if (finished.result == outcome::handled) report(fabric_event_kind::resumed, d.message, {});
}

/// Waits out one pause; false when the event is not to be run again.
awaitable<bool> subscription_core::sit_out(delivery& d, unsigned outages) {
  backlog_.hold(d);
  const auto end = clock::now() + transient_pause(options_.retry, outages);
  while (!stopping_ && clock::now() < end) co_await changed_.wait(end);
  if (stopping_) co_return false;
  backlog_.run_again(d, clock::now());
  co_return true;
}

std::uint64_t subscription_core::budget() const { return static_cast<std::uint64_t>(state_->settings.max_deliver); }

awaitable<void> subscription_core::answer(delivery& d, const attempt& finished) {
  if (d.message.answered()) co_return;  // handed back at the stop's deadline
  auto next = decide(finished, options_.retry, budget());
  // Cut short by the stop, not failed.
  const bool recalled = finished.result == outcome::failed && d.recalled;
  if (next.what == verdict::hold || (recalled && !finished.lapsed)) {
    co_await give_back(d);
    co_return;
  }
  if (finished.result == outcome::failed || finished.result == outcome::transient) {
    ++stats_.failed;
    report(fabric_event_kind::attempt_failed, d.message, {}, finished.error);
  }
  if (next.what == verdict::park) {
    co_await park(d, finished.error);
  } else {
    answer_now(d, next);
  }
}

void subscription_core::answer_now(delivery& d, const decision& next) {
  if (next.what == verdict::leave) {
    ++stats_.lapsed;
    report(fabric_event_kind::lapsed, d.message, {});
  } else if (next.what == verdict::nak) {
    const auto failure = next.delay.count() == 0 ? d.message.nak() : d.message.nak(next.delay);
    if (failure) report(fabric_event_kind::nak_failed, d.message, failure);
  } else if (const auto failure = d.message.ack()) {
    ++stats_.handled;
    ++stats_.ack_failed;
    report(fabric_event_kind::ack_failed, d.message, failure);
  } else {
    ++stats_.handled;
  }
}

/// At a stop. Handed back, a last delivery would be given up by the server, whose advisory perhaps nobody hears.
awaitable<void> subscription_core::give_back(delivery& d) {
  const bool ours = d.last && !backlog_.lapsed(d, clock::now());
  if (ours && state_->nc.state() == connection_state::connected) {
    co_await park(d, "stopped in its last delivery");
  } else {
    backlog_.hand_back(d);
  }
}

awaitable<void> subscription_core::park(delivery& d, const std::string& reason) {
  auto& m = d.message;
  const auto sequence = m.has_metadata() ? m.metadata().stream_sequence : 0;
  const dead_letter letter{m.subject(), reason, durable_, sequence, m.payload()};
  dead_letter_post post(state_->nc);
  auto refused = co_await post.send(letter);
  const auto term_failure = m.term(safe_reason(reason));
  if (!refused) refused = co_await post.confirm();
  if (refused) {
    ++stats_.dead_letter_failed;
    report(fabric_event_kind::dead_letter_failed, m, refused, reason);
  } else {
    ++stats_.parked;
    report(fabric_event_kind::parked, m, {}, reason);
  }
  if (term_failure) report(fabric_event_kind::term_failed, m, term_failure);
}

void subscription_core::finish(const delivery& d) {
  backlog_.done(d);
  if (room()) room_.notify_all();
  if (stopping_) changed_.notify_all();
}

void subscription_core::report(fabric_event_kind kind, const jetstream::message& m, error_code error,
                               std::string text) {
  fabric_event e{.kind = kind, .subject = std::string(m.subject()), .error = error, .text = std::move(text)};
  if (m.has_metadata()) {
    e.sequence = m.metadata().stream_sequence;
    e.attempt = m.metadata().delivered;
  }
  state_->emit(e);
}

}  // namespace compass_fabric::fabric
