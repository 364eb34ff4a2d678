// SPDX-License-Identifier: Apache-2.0
#include "client/connection_core.hpp"

#include <openssl/rand.h>

#include <boost/asio/dispatch.hpp>

#include "client/option_check.hpp"
#include "proto/serializer.hpp"

namespace compass_fabric::client {
namespace {

void fill_random(std::span<std::byte> out) {
  if (RAND_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(out.size())) != 1)
    throw_error(asio::error::no_memory, "random source");
}

event_handler log_handler(const std::shared_ptr<instrumentation>& hooks) {
  return [hooks](const connection_event& e) { hooks->log(severity_of(e.kind), e); };
}

}  // namespace

struct connection_core::flush_waiter final : waiter {
  flush_waiter(scheduler& s, std::uint64_t number) : waiter(s), ping(number) {}
  std::uint64_t ping;
};

connection_core::connection_core(asio::any_io_executor executor, const connect_options& options)
    : options_(checked(options)),
      turns_(std::make_shared<scheduler>(std::move(executor), [this] { end_turn(); })),
      events_(std::make_shared<event_hub>(*turns_)),
      observer_(options_),
      out_(
          *turns_, observer_, options_, [this] { flush_link(); },
          [this](const proto::buffered_publish& p) { unsent_.dropped_offline(p); }),
      in_(*events_),
      ids_(fill_random),
      requests_(*this, new_inbox()),
      unsent_(out_, requests_, *events_, [this](event_kind kind, error_code ec) { return event(kind, ec); }),
      pool_(parse_servers(options_.servers, options_.tls), pool_policy(options_.reconnect)),
      random_(options_.random_seed != 0 ? static_cast<std::uint32_t>(options_.random_seed) : std::random_device{}()),
      authenticator_(*turns_, options_),
      leave_alarm_([this] { leave_link(); }) {
  if (options_.randomize_servers) pool_.shuffle(random_(), false);
  for (auto& address : options_.servers) wipe(address);  // the pool knows them, and their passwords
  if (options_.hooks) log_ = events_->add(log_handler(options_.hooks));
  if (options_.on_event) user_events_ = events_->add(options_.on_event);
}

asio::awaitable<void> connection_core::wait_connected() {
  error_code failure = close_reason_ ? close_reason_ : error_code(errc::connection_closed);
  if (stage_ != stage::closed) {  // an attempt that had nothing to wait for may have ended it already
    waiter w(*turns_);
    until_connected_.push_back(w);
    const auto r = co_await w.wait();
    failure = r.error;
  }
  if (!failure) co_return;
  throw_error(failure, failure_text_.empty() ? "connect to " + server_ : failure_text_ + ": connect to " + server_);
}

error_code connection_core::subscribe(subscription_state& s) {
  if (stage_ == stage::draining) return errc::draining;
  return enter(s);
}

error_code connection_core::enter(subscription_state& s) {
  if (stage_ == stage::closed) return errc::connection_closed;
  if (!in_.registry().add(s)) return errc::max_subscriptions_exceeded;
  s.start();
  if (!link_restored()) return {};
  proto::append_subscribe(out_.box().pending(), s.subject, s.queue, s.sid);
  if (s.max != 0) proto::append_unsubscribe(out_.box().pending(), s.sid, s.max);
  turns_->schedule();
  return {};
}

void connection_core::unsubscribe(subscription_state& s) noexcept {
  s.discard_pending();
  withdraw(s, {});
}

void connection_core::withdraw(subscription_state& s, error_code reason) noexcept {
  if (!s.active()) return;
  if (link_restored()) {
    proto::append_unsubscribe(out_.box().pending(), s.sid, 0);
    turns_->schedule();
  }
  in_.remove(s, reason);
  turns_->defer([self = shared_from_this()] { self->in_.release_ended(); });
}

void connection_core::unsubscribe_after(subscription_state& s, std::uint64_t max) {
  if (!s.active()) return;
  if (max == 0) {  // on the wire it would mean "at once", in the record "never"
    withdraw(s, {});
    return;
  }
  s.max = max;
  if (link_restored()) {
    proto::append_unsubscribe(out_.box().pending(), s.sid, proto::limit_on_link(s));
    turns_->schedule();
  }
  if (proto::is_finished(s)) in_.remove(s, {});
}

asio::awaitable<void> connection_core::drain_subscription(std::shared_ptr<subscription_state> s,
                                                          std::chrono::milliseconds timeout) {
  const auto until = proto::deadline_after(scheduler::now(), timeout);
  if (s->active()) {
    const subscription_list one{s};
    try {
      co_await end_interest(one, until);
    } catch (...) {
      withdraw(*s, {});  // the next link must not bring it back
      throw;
    }
    in_.remove(*s, {});
  }
  const bool empty = co_await s->emptied(until);
  if (!empty) throw_error(errc::timeout, "drain " + s->subject);
}

// Until a server has confirmed that it delivers nothing more: one that is reached meanwhile was told of the
// subscriptions again.
asio::awaitable<void> connection_core::end_interest(const subscription_list& of, proto::time_point until) {
  for (const auto& s : of) s->begin_drain();
  for (bool confirmed = false; !confirmed;) {
    const auto link = links_;
    const bool told = link_restored();
    for (const auto& s : of)
      if (told && s->active()) proto::append_unsubscribe(out_.box().pending(), s->sid, 0);
    co_await flush(until);
    confirmed = told && link == links_;
  }
}

asio::awaitable<void> connection_core::wait_for_link(proto::time_point until) {
  while (!link_ || !link_->ready()) {
    if (stage_ == stage::closed) throw_error(errc::connection_closed, "flush");
    waiter w(*turns_);
    until_connected_.push_back(w);
    turns_->set_deadline(w, until);
    const auto r = co_await w.wait();
    throw_if(r.error, "flush");
  }
}

// A server that is left gracefully has confirmed what it got; what waited behind that goes to the next one.
asio::awaitable<void> connection_core::flush(proto::time_point until) {
  error_code ended = errc::server_shutting_down;
  while (ended == errc::server_shutting_down) {
    co_await wait_for_link(until);
    flush_waiter w(*turns_, link_->send_ping());
    flushing_.push_back(w);
    turns_->set_deadline(w, until);
    const auto r = co_await w.wait();
    ended = r.error;
  }
  throw_if(ended, "flush");
}

void connection_core::on_pong(std::uint64_t pongs) noexcept {
  while (!flushing_.empty() && static_cast<flush_waiter&>(flushing_.front()).ping <= pongs)
    flushing_.front().complete({});
}

asio::awaitable<void> connection_core::barrier(proto::time_point until) {
  std::vector<std::pair<std::shared_ptr<subscription_state>, std::uint64_t>> behind;
  in_.registry().for_each([&](proto::subscription_record& r) {
    auto& s = inbound::state_of(r);
    if (const auto end = s.received_for_workers(); end != 0) behind.emplace_back(s.shared_from_this(), end);
  });
  for (const auto& [s, end] : behind) {
    const bool done = co_await s->handled(end, until);
    if (!done) throw_error(errc::timeout, "barrier: " + s->subject);
  }
}

// Whoever took the last messages may still be at work on them: wait until nothing was published and no request was
// pending during a whole round trip.
asio::awaitable<void> connection_core::settle(proto::time_point until) {
  for (bool quiet = false; !quiet;) {
    const auto published = out_.out_messages();
    co_await flush(until);
    co_await requests_.settled(until);
    quiet = published == out_.out_messages();
  }
}

// Subscriptions first, the shared inbox of the requests last: handlers that are still busy get their replies.
asio::awaitable<void> connection_core::drain(std::chrono::milliseconds timeout) {
  if (stage_ == stage::closed) co_return;
  const auto until = proto::deadline_after(scheduler::now(), timeout);
  stage_ = stage::draining;
  subscription_list draining;
  in_.registry().for_each([&](proto::subscription_record& r) {
    auto& s = inbound::state_of(r);
    if (!requests_.is_inbox(s)) draining.push_back(s.shared_from_this());
  });
  error_code failure;
  try {
    co_await end_interest(draining, until);
    for (const auto& s : draining) in_.remove(*s, {});
    for (const auto& s : draining) {
      const bool empty = co_await s->emptied(until);
      if (!empty) failure = errc::timeout;
    }
    co_await settle(until);
    out_.refuse(errc::draining);
    co_await flush(until);
    drained_ = !failure;
  } catch (const system_error& e) {
    if (drained_) co_return;  // another drain was done first
    failure = e.code();
  }
  close(failure);
  throw_if(failure, "drain");
}

void connection_core::close(error_code reason) noexcept {
  if (stage_ == stage::closed) return;
  flush_link();  // best effort for what was published just before
  stage_ = stage::closed;
  close_reason_ = reason;
  const error_code closed_code = errc::connection_closed;
  out_.refuse(errc::connection_closed);
  requests_.fail_all(closed_code);
  in_.end_all(closed_code);
  requests_.release();
  complete_all(flushing_, closed_code);
  complete_all(until_connected_, reason ? reason : closed_code);
  complete_all(pausing_, closed_code);
  abort_attempt(closed_code);
}

void connection_core::release() noexcept {
  if (finished()) return;
  asio::dispatch(turns_->executor(), [self = shared_from_this()] { self->close({}); });
}

asio::awaitable<error_code> connection_core::closed() {
  if (!ended_) {
    waiter w(*turns_);
    until_closed_.push_back(w);
    const auto r = co_await w.wait();
    throw_if(r.error, "closed");
  }
  co_return close_reason_;
}

connection_state connection_core::state() const noexcept {
  if (stage_ == stage::closed) return connection_state::closed;
  if (stage_ == stage::draining) return connection_state::draining;
  if (link_ && link_->ready()) return connection_state::connected;
  return links_ == 0 ? connection_state::connecting : connection_state::reconnecting;
}

connection_stats connection_core::stats() const noexcept {
  connection_stats s;
  s.in_messages = in_.in_messages();
  s.in_bytes = in_.in_bytes();
  s.out_messages = out_.out_messages();
  s.out_bytes = out_.out_bytes();
  s.reconnects = links_ == 0 ? 0 : links_ - 1;
  s.dropped_messages = in_.dropped();
  s.replayed_publishes = unsent_.replayed();
  s.dropped_publishes = unsent_.dropped();
  s.pending_requests = requests_.size();
  s.outbox_bytes = out_.box().size();
  return s;
}

}  // namespace compass_fabric::client
