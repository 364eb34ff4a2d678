// SPDX-License-Identifier: Apache-2.0
#include "jetstream/fetch_core.hpp"

#include "jetstream/pull_request.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::seconds retire_time{5};

/// Ends with `owner`: nothing refers to the fetch any more then.
asio::awaitable<void> drain_inbox(std::shared_ptr<fetch_core> /*owner*/, subscription& inbox) {
  try {
    co_await inbox.drain(retire_time);
  } catch (const system_error&) {
    // The link is gone, and the pull's interest with it.
  }
}

}  // namespace

fetch_core::fetch_core(std::shared_ptr<const consumer_state> consumer, std::size_t batch, const fetch_options& options)
    : consumer_(std::move(consumer)),
      link_(consumer_->link),
      batch_(batch),
      options_(options),
      state_(batch, options, clock::now()),
      over_(link_.get_executor()),
      inbox_(link_.new_inbox()) {}

asio::awaitable<fetch_result> fetch_core::run() {
  const auto self = shared_from_this();
  events_ = link_.on_event([this](const connection_event& event) { on_event(event); });
  inbox_subscription_ = link_.subscribe(inbox_, [this](const message_view& m) { on_message(m); });
  try {
    send_pull();
    co_await wait_over();
  } catch (...) {
    state_.fail(asio::error::operation_aborted);
    hand_back();
    retire();
    throw;
  }
  auto result = take_result();
  retire();
  co_return result;
}

void fetch_core::send_pull() {
  pull_request request;
  request.batch = batch_;
  request.max_bytes = options_.max_bytes;
  request.idle_heartbeat = options_.idle_heartbeat;
  request.no_wait = options_.no_wait;
  if (!options_.no_wait) request.expires = in_nanoseconds(options_.expires);
  compass_fabric::publish_options publish;
  publish.reply = inbox_;
  publish.beyond_limit = true;
  // A pull that waits for a link in the buffer would begin at an unknown time.
  if (link_.state() != connection_state::connected)
    throw_error(compass_fabric::errc::connection_lost, consumer_->pull_subject);
  if (const auto error = link_.try_publish(consumer_->pull_subject, to_json(request), publish)) {
    throw_error(error, consumer_->pull_subject);
  }
}

void fetch_core::on_message(const message_view& m) {
  const auto now = clock::now();
  if (const auto line = read_status(m)) {
    state_.status(*line, now);
  } else if (state_.over()) {
    message(link_, compass_fabric::message(m)).nak();
  } else if (!m.reply.empty()) {
    messages_.emplace_back(link_, compass_fabric::message(m));
    state_.message(now);
  }
  if (state_.over()) over_.wake_all();
}

void fetch_core::on_event(const connection_event& event) {
  if (event.kind == event_kind::disconnected) state_.fail(compass_fabric::errc::connection_lost);
  if (event.kind == event_kind::closed) state_.fail(compass_fabric::errc::connection_closed);
  if (state_.over()) over_.wake_all();
}

asio::awaitable<void> fetch_core::wait_over() {
  while (!state_.over()) {
    const bool woken = co_await over_.wait(state_.due());
    if (!woken) state_.elapsed(clock::now());
  }
}

fetch_result fetch_core::take_result() {
  fetch_result result;
  result.messages = std::exchange(messages_, {});
  result.end = state_.end();
  result.error = state_.error();
  result.text = state_.text();
  return result;
}

void fetch_core::hand_back() noexcept {
  for (auto& m : std::exchange(messages_, {})) m.nak();
}

void fetch_core::retire() {
  events_.reset();
  if (!state_.open_at_server()) return inbox_subscription_.unsubscribe();
  asio::co_spawn(link_.get_executor(), drain_inbox(shared_from_this(), inbox_subscription_), asio::detached);
}

}  // namespace compass_fabric::jetstream
