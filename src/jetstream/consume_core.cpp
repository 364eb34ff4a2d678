// SPDX-License-Identifier: Apache-2.0
#include "jetstream/consume_core.hpp"

#include "jetstream/guarded.hpp"
#include "jetstream/pull_request.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds drain_time{5};
constexpr std::chrono::milliseconds max_heartbeat{15000};

std::chrono::milliseconds heartbeat_of(const consume_options& options) {
  if (options.idle_heartbeat.count() != 0) return options.idle_heartbeat;
  return std::min(options.expires / 2, max_heartbeat);
}

pull_state::settings settings_of(const consume_options& options) {
  pull_state::settings settings;
  settings.max_messages = options.max_messages;
  settings.max_bytes = options.max_bytes;
  settings.refill_percent = options.refill_percent;
  settings.idle_heartbeat = heartbeat_of(options);
  return settings;
}

}  // namespace

consume_core::consume_core(std::shared_ptr<const consumer_state> consumer, delivery_handler handler,
                           const consume_options& options)
    : consumer_(std::move(consumer)),
      link_(consumer_->link),
      handler_(std::move(handler)),
      options_(options),
      heartbeat_(heartbeat_of(options)),
      state_(settings_of(options)),
      receivers_(link_.get_executor()),
      deadlines_(link_.get_executor()),
      until_ended_(link_.get_executor()),
      inbox_(link_.new_inbox() + ".") {}

std::shared_ptr<consume_core> consume_core::start(std::shared_ptr<const consumer_state> consumer,
                                                  delivery_handler handler, const consume_options& options) {
  auto core = std::make_shared<consume_core>(std::move(consumer), std::move(handler), options);
  auto* raw = core.get();
  core->inbox_subscription_ =
      core->link_.subscribe(core->inbox_ + "*", [raw](const message_view& m) { raw->on_inbox(m); });
  core->events_ = core->link_.on_event([raw](const connection_event& event) { raw->on_link(event); });
  if (core->link_.state() == connection_state::connected) core->state_.connected(clock::now());
  core->pull();
  auto loop = run(core, core->life_.begin());
  asio::co_spawn(core->get_executor(), std::move(loop), asio::detached);
  return core;
}

asio::awaitable<void> consume_core::run(std::shared_ptr<consume_core> self, life /*alive*/) {
  co_await self->flow();
  co_await self->drain_inbox();
  self->phase_ = phase::ended;
  self->receivers_.wake_all();
  self->until_ended_.wake_all();
}

asio::awaitable<void> consume_core::flow() {
  while (phase_ == phase::flowing) {
    if (std::exchange(must_check_, false)) co_await check_consumer();
    look();
    if (phase_ != phase::flowing) break;
    co_await deadlines_.wait(state_.due().value_or(clock::time_point::max()));
  }
}

/// 503 says "no leader" and "no consumer" alike; the API tells them apart. Any other trouble only means to pull again.
asio::awaitable<void> consume_core::check_consumer() {
  auto js = consumer_->js;
  try {
    co_await js.consumer_info(consumer_->stream, consumer_->name);
  } catch (const system_error& e) {
    if (phase_ != phase::flowing) co_return;
    if (e.code() != errc::consumer_not_found && e.code() != errc::stream_not_found) co_return;
    consumer_gone(errc::consumer_deleted, e.what());
  }
}

asio::awaitable<void> consume_core::drain_inbox() {
  events_.reset();
  try {
    co_await inbox_subscription_.drain(drain_time);
  } catch (const system_error& e) {
    stop_error_ = e.code();
    inbox_subscription_.unsubscribe();
  }
}

/// What a passed deadline means, then the pull that is due.
void consume_core::look() {
  if (state_.gave_up(clock::now())) report(consume_event_kind::pull_lost, errc::missed_heartbeats);
  pull();
}

void consume_core::pull() {
  while (phase_ == phase::flowing) {
    const auto order = state_.next_pull(clock::now());
    if (!order || !send(*order)) return;
  }
}

bool consume_core::send(const pull_order& order) {
  // The event may still be on its way. A pull that waits for a link in the buffer would go out beside the next one.
  if (link_.state() != connection_state::connected) {
    state_.disconnected();
    return false;
  }
  pull_request request;
  request.batch = order.messages;
  request.max_bytes = order.bytes;
  request.expires = in_nanoseconds(options_.expires);
  request.idle_heartbeat = heartbeat_;
  const auto reply = inbox_ + std::to_string(order.id);
  compass_fabric::publish_options publish;
  publish.reply = reply;
  publish.beyond_limit = true;
  if (link_.try_publish(consumer_->pull_subject, to_json(request), publish)) {
    state_.start_over(clock::now());
    return false;
  }
  ++pulls_;
  deadlines_.wake_one();
  return true;
}

void consume_core::on_inbox(const message_view& m) {
  if (const auto line = read_status(m)) {
    on_status(m, *line);
  } else if (!m.reply.empty()) {
    on_message(m);
  }
}

void consume_core::on_message(const message_view& m) {
  message delivery(link_, compass_fabric::message(m));
  if (phase_ != phase::flowing && mode_ == stop_mode::release) {
    delivery.nak();
    return;
  }
  state_.arrived(m.size(), clock::now());
  missing_reported_ = false;
  if (!handler_) {
    queue_.push_back(std::move(delivery));
    return receivers_.wake_one();
  }
  try {
    handler_(std::move(delivery));
  } catch (...) {
    handled(m.size());
    throw;
  }
  handled(m.size());
}

void consume_core::handled(std::size_t bytes) {
  state_.taken(bytes);
  pull();
}

void consume_core::on_status(const message_view& m, const pull_status& line) {
  if (phase_ != phase::flowing || !m.subject.starts_with(inbox_)) return;
  std::uint64_t id = 0;
  const auto number = m.subject.substr(inbox_.size());
  std::from_chars(number.data(), number.data() + number.size(), id);
  on_verdict(state_.status(id, line, clock::now()), line);
  pull();
  deadlines_.wake_one();
}

void consume_core::on_verdict(pull_verdict verdict, const pull_status& line) {
  switch (verdict) {
    case pull_verdict::go_on: return;
    case pull_verdict::pull_lost: return report(consume_event_kind::pull_lost, error_of(line.kind), line.text);
    case pull_verdict::check_consumer:
      must_check_ = true;
      return report(consume_event_kind::pull_lost, error_of(line.kind), line.text);
    case pull_verdict::too_large: return report(consume_event_kind::message_too_large, error_of(line.kind), line.text);
    case pull_verdict::end: break;
  }
  if (line.kind == status_kind::consumer_deleted) return consumer_gone(errc::consumer_deleted, line.text);
  fail(error_of(line.kind), line.text);
}

void consume_core::on_link(const connection_event& event) {
  if (phase_ != phase::flowing) return;
  if (event.kind == event_kind::disconnected) state_.disconnected();
  if (event.kind == event_kind::closed) return fail(compass_fabric::errc::connection_closed, event.text);
  if (event.kind == event_kind::reconnected || event.kind == event_kind::connected) {
    state_.connected(clock::now());
    pull();
    if (event.kind == event_kind::reconnected) report(consume_event_kind::resumed);
  }
}

void consume_core::consumer_gone(error_code reason, std::string_view text) {
  if (options_.on_missing == missing_policy::end) return fail(reason, text);
  state_.start_over(clock::now());
  if (!std::exchange(missing_reported_, true)) report(consume_event_kind::consumer_missing, reason, text);
}

void consume_core::fail(error_code reason, std::string_view text) {
  error_ = reason;
  begin_stop(stop_mode::drain);
  report(consume_event_kind::ended, reason, text);
}

void consume_core::begin_stop(stop_mode mode) noexcept {
  if (phase_ == phase::flowing) {
    phase_ = phase::stopping;
    mode_ = mode;
  }
  if (mode == stop_mode::release) {
    mode_ = mode;
    hand_back();
  }
  deadlines_.wake_all();
  if (phase_ == phase::ended) receivers_.wake_all();
}

void consume_core::hand_back() noexcept {
  for (auto& m : std::exchange(queue_, {})) m.nak();
}

void consume_core::report(consume_event_kind kind, error_code error, std::string_view text) {
  if (abandoned_ || !options_.on_event) return;
  const consume_event event{kind, error, std::string(text)};
  guarded(get_executor(), [&] { options_.on_event(event); });
}

}  // namespace compass_fabric::jetstream
