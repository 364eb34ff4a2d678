// SPDX-License-Identifier: Apache-2.0
// The run loop: one attempt, one link, one loss after another until the connection is closed; and what a link reports.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "client/connection_core.hpp"
#include "client/version.hpp"

namespace compass_fabric::client {

namespace {

proto::server_pool::parting parting_of(error_code reason) noexcept {
  using parting = proto::server_pool::parting;
  if (reason == errc::server_shutting_down) return parting::moved;
  return reason == errc::reconnect_requested ? parting::wished : parting::broken;
}

}  // namespace

// When the io_context is destroyed, so is the frame of the run loop, and this with it: everything that refers to the
// context must go now, and no handle may use the executor later.
struct connection_core::context_guard {
  explicit context_guard(std::shared_ptr<connection_core> c) noexcept : core(std::move(c)) {}
  context_guard(const context_guard&) = delete;
  context_guard& operator=(const context_guard&) = delete;
  const std::shared_ptr<connection_core> core;
  ~context_guard() { core->abandon(); }
};

void connection_core::abandon() noexcept {
  if (finished_) return;
  stage_ = stage::closed;
  finished_.store(true, std::memory_order_release);
  if (link_) link_->close(errc::connection_closed);
  link_.reset();
  connector_.reset();
  turns_->abandon();
  out_.refuse(errc::connection_closed);  // a handle may live on; nobody waits for room any more
  // What refers back to this connection: the request inbox, and subscriptions that ended but were not let go yet.
  in_.end_all(errc::connection_closed);
  requests_.release();
  in_.release_ended();
}

// The guard is a parameter: it belongs to the frame even when the loop never gets to run.
void connection_core::start() {
  auto loop = run(std::make_shared<context_guard>(shared_from_this()));
  asio::co_spawn(turns_->executor(), std::move(loop), asio::detached);
}

// Nothing should throw in there; if something does (memory runs out), whoever waits is told that the connection ended.
asio::awaitable<void> connection_core::run(std::shared_ptr<context_guard> alive) {
  connection_core& core = *alive->core;
  error_code last = errc::connection_closed;
  try {
    last = co_await core.serve();
  } catch (...) {
    core.turns_->rethrow_later();
  }
  core.finish(last);
}

asio::awaitable<error_code> connection_core::serve() {
  error_code last = errc::no_servers;
  while (stage_ != stage::closed) {
    const auto delay = next_pause();
    if (!delay) break;
    if (delay->count() > 0) {
      const auto interrupted = co_await pause(*delay);
      if (interrupted) break;
    }
    const auto choice = pool_.next(0);  // the pool may be another by now
    if (!choice) break;
    attempting_ = true;
    last = co_await attempt(choice->server);
    attempting_ = false;
    if (stage_ == stage::closed) break;
    last_failure_ = last;
    if (last) {
      pool_.failed(last.category() == nats_category() ? static_cast<errc>(last.value()) : errc{});
      auto failed = event(event_kind::connect_failed, last);
      failed.text = failure_text_;
      events_->emit(std::move(failed));
      if (links_ == 0 && !options_.retry_on_initial_connect && pool_.pass_complete()) break;
      continue;
    }
    last = co_await link_->read();
    last_failure_ = last;
    link_lost(last);
    if (!options_.reconnect.enabled) break;
  }
  co_return last;
}

asio::awaitable<error_code> connection_core::pause(std::chrono::milliseconds delay) {
  waiter w(*turns_);
  pausing_.push_back(w);
  turns_->set_deadline(w, proto::deadline_after(scheduler::now(), delay));
  const auto r = co_await w.wait();
  co_return r.error == errc::timeout ? error_code() : r.error;
}

void connection_core::abort_attempt(error_code reason) noexcept {
  if (link_) {
    link_->close(reason);
    authenticator_.abort(reason);
  } else if (connector_) {
    connector_->abort(reason);
  }
}

// One deadline over everything until the link is ready.
asio::awaitable<error_code> connection_core::attempt(const proto::server_url& server) {
  target_ = server;
  server_ = proto::to_string(server);
  failure_text_.clear();
  ++attempts_;
  alarm deadline([this] { abort_attempt(errc::timeout); });
  turns_->set_deadline(deadline, proto::deadline_after(scheduler::now(), options_.connect_timeout));
  connector_ = std::make_shared<connector>(turns_->executor(), options_);
  const auto unreachable = co_await connector_->connect(server, tls_seen_);
  if (unreachable) {
    failure_text_ = connector_->failure_text();
    connector_.reset();
    co_return unreachable;
  }
  proto::connect_fields login;
  login.name = options_.name;
  login.version = library_version;
  login.echo = options_.echo;
  link_ = std::make_shared<link>(*this, connector_->take(), std::move(login));
  connector_.reset();
  const auto refused = co_await link_->handshake();
  tls_seen_ |= link_->secured();
  if (refused) {
    if (failure_text_.empty()) failure_text_ = link_->failure_text();
    link_->close(refused);
    link_.reset();
  }
  co_return refused;
}

asio::awaitable<error_code> connection_core::authenticate(const server_info& info, proto::connect_fields& fields) {
  login_request request{server_, info.nonce, attempts_, last_failure_};
  const auto refused = co_await authenticator_.complete(fields, target_, std::move(request));
  if (refused) failure_text_ = authenticator_.fault();
  co_return refused;
}

void connection_core::on_ready(link& l) {
  tls_seen_ |= l.secured();
  if (l.secured() && options_.tls.insecure_skip_verify) events_->emit(event(event_kind::insecure_tls));
  const bool first = links_++ == 0;
  connected_at_ = scheduler::now();
  pool_.connected();
  unsent_.link_ready();
  out_.link_up();
  complete_all(until_connected_, {});
  events_->emit(event(first ? event_kind::connected : event_kind::reconnected));
  if (l.conversation().lame_duck()) plan_leaving();
  turns_->schedule();
}

void connection_core::link_lost(error_code reason) {
  auto lost = event(event_kind::disconnected, reason);
  lost.text = link_->failure_text();
  link_->close(reason);
  link_.reset();
  turns_->clear_deadline(leave_alarm_);
  const bool left = reason == errc::server_shutting_down;
  const auto lifetime = std::chrono::duration_cast<std::chrono::milliseconds>(scheduler::now() - connected_at_);
  pool_.lost(lifetime, parting_of(reason));
  unsent_.link_lost(left);
  out_.link_down();
  complete_all(flushing_, left ? errc::server_shutting_down : errc::connection_lost);
  requests_.link_lost(left);
  if (stage_ != stage::closed) events_->emit(std::move(lost));
}

void connection_core::finish(error_code reason) {
  close(reason);
  unsent_.drop_all();
  ended_ = true;
  link_.reset();
  connector_.reset();
  events_->emit(event(event_kind::closed, close_reason_));
  turns_->defer([this] { complete_all(until_closed_, {}); });  // after every event
  in_.release_ended();
  turns_->stop();
  finished_.store(true, std::memory_order_release);
}

void connection_core::end_turn() noexcept {
  flush_link();
  out_.turn_ends();
}

void connection_core::flush_link() noexcept {
  if (link_) link_->flush();
}

void connection_core::on_info(const server_info& info) {
  const bool changed = link_ && link_->restored() && info != info_;
  info_ = info;
  if (changed) events_->emit(event(event_kind::info_changed));
  out_.link_limits(info.max_payload > 0 ? static_cast<std::size_t>(info.max_payload) : SIZE_MAX, info.headers);
  // Before the link is ready the outbox holds nothing but publishes of earlier links.
  if (link_ && !link_->restored() && !out_.box().empty()) unsent_.drop_oversized();
  merge_announced(info);
}

void connection_core::on_server_error(const proto::server_error& e) {
  auto report = event(event_kind::server_error, e.code);
  report.text = e.text;
  if (e.kind == proto::server_error_kind::permission) {
    report.kind = event_kind::permission_denied;
    report.subject = e.subject;
    if (e.operation == proto::refused_operation::subscription) end_subscription(e);
    if (e.operation == proto::refused_operation::publish) requests_.fail_subject(e.subject, e.code);
  }
  if (e.code == errc::max_subscriptions_exceeded) requests_.some_subscription_refused(e.code);
  events_->emit(std::move(report));
}

void connection_core::end_subscription(const proto::server_error& e) {
  auto* const record = in_.registry().find(e.subject, e.queue);
  if (record == nullptr) return;
  auto& s = inbound::state_of(*record);
  in_.remove(s, e.code);
  requests_.subscription_refused(s, e.code);
}

connection_event connection_core::event(event_kind kind, error_code ec) const {
  connection_event e;
  e.kind = kind;
  e.error = ec;
  e.server = server_;
  return e;
}

}  // namespace compass_fabric::client
