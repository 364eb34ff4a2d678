// SPDX-License-Identifier: Apache-2.0
#include "jetstream/publish_window.hpp"

#include "jetstream/publish_fields.hpp"
#include "proto/deadline_queue.hpp"

#include <charconv>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;
using state = publish_slot::state;

namespace {

using clock = std::chrono::steady_clock;

/// Between two looks at the table while messages are open. Coarse on purpose: an ack is normally there first.
constexpr std::chrono::milliseconds look_interval{25};

}  // namespace

publish_window::publish_window(const connection& link, const publisher_options& options,
                               publish_outcome_handler on_outcome)
    : link_(link),
      options_(options),
      on_outcome_(std::move(on_outcome)),
      slots_(options.window),
      room_(link_.get_executor()),
      all_done_(link_.get_executor()),
      work_(link_.get_executor()),
      inbox_(link_.new_inbox() + ".") {
  free_.reserve(slots_.size());
  for (std::size_t i = slots_.size(); i != 0; --i) free_.push_back(i - 1);
}

std::shared_ptr<publish_window> publish_window::start(const connection& link, const publisher_options& options,
                                                      publish_outcome_handler on_outcome) {
  auto window = std::make_shared<publish_window>(link, options, std::move(on_outcome));
  auto* raw = window.get();
  window->inbox_subscription_ =
      window->link_.subscribe(window->inbox_ + "*", [raw](const message_view& m) { raw->on_reply(m); });
  window->events_ = window->link_.on_event([raw](const connection_event& event) { raw->on_link(event); });
  auto loop = run(window, window->life_.begin());
  asio::co_spawn(window->get_executor(), std::move(loop), asio::detached);
  return window;
}

asio::awaitable<void> publish_window::run(std::shared_ptr<publish_window> self, life /*alive*/) {
  while (!self->closed_) {
    const auto pause = self->open() == 0 ? clock::time_point::max() : clock::now() + look_interval;
    co_await self->work_.wait(pause);
    if (!self->closed_) self->look();
  }
  self->events_.reset();
  self->inbox_subscription_.unsubscribe();
}

asio::awaitable<void> publish_window::publish(std::shared_ptr<publish_window> self, std::string_view subject,
                                              std::string_view payload, publish_options options, std::uint64_t tag) {
  while (self->free_.empty() && !self->closed_) co_await self->room_.wait(clock::time_point::max());
  if (self->closed_) throw_error(compass_fabric::errc::connection_closed, subject);
  const auto index = self->take_slot(subject, payload, options, tag);
  auto& slot = self->slots_[index];
  try {
    co_await self->link_.publish(subject, payload, wire_options(slot));
  } catch (...) {
    self->release_slot(index);
    throw;
  }
  self->mark_sent(slot);
  if (self->closed_) self->finish_all(errc::ack_unknown);
}

error_code publish_window::try_publish(std::string_view subject, std::string_view payload,
                                       const publish_options& options, std::uint64_t tag) try {
  if (closed_) return compass_fabric::errc::connection_closed;
  if (free_.empty()) return errc::window_full;
  const auto index = take_slot(subject, payload, options, tag);
  const auto error = link_.try_publish(subject, payload, wire_options(slots_[index]));
  if (error) {
    release_slot(index);
  } else {
    mark_sent(slots_[index]);
  }
  return error;
} catch (const system_error& e) {
  return e.code();  // a header that cannot be written
}

asio::awaitable<void> publish_window::wait_all(std::shared_ptr<publish_window> self) {
  while (self->open() != 0) co_await self->all_done_.wait(clock::time_point::max());
}

void publish_window::close() {
  if (std::exchange(closed_, true)) return;
  finish_all(errc::ack_unknown);
  room_.wake_all();
  work_.wake_all();
}

std::size_t publish_window::take_slot(std::string_view subject, std::string_view payload,
                                      const publish_options& options, std::uint64_t tag) {
  auto fields = publish_fields(options);  // may throw; nothing is taken then
  const auto index = free_.back();
  auto& slot = slots_[index];
  slot.reply = inbox_;
  slot.reply += std::to_string(slot.generation * slots_.size() + index);
  slot.subject = subject;
  slot.payload = payload;
  slot.fields = std::move(fields);
  slot.tag = tag;
  slot.now = state::filling;
  free_.pop_back();
  if (open() == 1) work_.wake_one();
  return index;
}

void publish_window::mark_sent(publish_slot& slot) {
  const auto now = clock::now();
  slot.attempts.emplace(options_.retry, slot.fields.get("Nats-Msg-Id").has_value(), now);
  slot.due = proto::deadline_after(now, slot.attempts->ack_wait(now));
  slot.now = state::sent;
}

void publish_window::release_slot(std::size_t index) {
  slots_[index].now = state::free;
  ++slots_[index].generation;
  free_.push_back(index);
  room_.wake_one();
  if (open() == 0) all_done_.wake_all();
}

publish_slot* publish_window::find(std::string_view token, std::size_t& index) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(token.data(), token.data() + token.size(), number);
  if (error != std::errc() || stop != token.data() + token.size()) return nullptr;
  index = static_cast<std::size_t>(number % slots_.size());
  auto& slot = slots_[index];
  const bool current =
      slot.now != state::free && slot.now != state::filling && slot.generation == number / slots_.size();
  return current ? &slot : nullptr;
}

}  // namespace compass_fabric::jetstream
