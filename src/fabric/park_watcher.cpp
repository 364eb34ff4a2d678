// SPDX-License-Identifier: Apache-2.0
#include "fabric/park_watcher.hpp"

#include "fabric/dead_letter_post.hpp"

#include <compass_fabric/fabric/dead_letter.hpp>
#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/jetstream/error.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

namespace compass_fabric::fabric {
namespace {

using boost::asio::awaitable;
using namespace std::chrono_literals;

constexpr std::string_view first_queue = "compass-park";
constexpr std::size_t remembered = 4096;

awaitable<void> pause(const boost::asio::any_io_executor& executor, std::chrono::milliseconds time) {
  boost::asio::steady_timer timer(executor, time);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

awaitable<void> flush_quietly(connection nc) {
  try {
    co_await nc.flush(2s);
  } catch (const system_error&) {
    // Without a link nothing can be learned; the caller decides on what it knows.
  }
}

/// Worth another try: the server did not answer, as opposed to answering that the message is gone.
bool passing(const error_code& error) {
  return error == compass_fabric::errc::timeout || error == compass_fabric::errc::connection_lost ||
         error == jetstream::errc::unavailable;
}

}  // namespace

park_watcher::park_watcher(std::shared_ptr<const fabric_state> state, std::string durable)
    : state_(std::move(state)), durable_(std::move(durable)), random_(std::random_device{}()) {}

void park_watcher::start() {
  auto nc = state_->nc;
  const auto subject = max_deliveries_subject(durable_);
  const auto weak = weak_from_this();
  const auto forward = [weak](role as) {
    return [weak, as](const message_view& m) {
      if (const auto self = weak.lock()) self->on_advisory(m, as);
    };
  };
  subscribe_options queue;
  queue.queue = first_queue;
  dead_letters_ = nc.subscribe(dlq_subject, [weak](const message_view& m) {
    if (const auto self = weak.lock()) self->on_dead_letter(m);
  });
  first_ = nc.subscribe(subject, forward(role::first), queue);
  stand_in_ = nc.subscribe(subject, forward(role::stand_in));
}

void park_watcher::stop() {
  stopped_ = true;
  first_.unsubscribe();
  stand_in_.unsubscribe();
  dead_letters_.unsubscribe();
}

void park_watcher::note(std::uint64_t sequence) {
  if (!done_.insert(sequence).second) return;
  done_order_.push_back(sequence);
  if (done_order_.size() <= remembered) return;
  done_.erase(done_order_.front());
  done_order_.pop_front();
}

void park_watcher::on_dead_letter(const message_view& m) {
  const auto fields = m.headers();
  if (fields.get(park_consumer_header) != durable_) return;
  const auto text = fields.get(park_sequence_header).value_or("");
  std::uint64_t sequence = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), sequence).ec == std::errc{}) note(sequence);
}

void park_watcher::on_advisory(const message_view& m, role as) {
  const auto advisory = parse_max_deliveries(m.payload);
  if (!advisory || stopped_) return;
  auto work = park(shared_from_this(), *advisory, as);
  boost::asio::co_spawn(state_->nc.get_executor(), std::move(work), boost::asio::detached);
}

awaitable<void> park_watcher::wait_for_the_first() {
  std::uniform_int_distribution<int> spread(2000, 5000);  // so that two stand-ins seldom step in together
  co_await pause(state_->nc.get_executor(), std::chrono::milliseconds(spread(random_)));
}

awaitable<void> park_watcher::park(std::shared_ptr<park_watcher> self, max_deliveries_advisory a, role as) {
  if (as == role::stand_in) co_await self->wait_for_the_first();
  co_await flush_quietly(self->state_->nc);
  if (self->done_.contains(a.stream_sequence)) co_return;
  if (as == role::stand_in) {
    // Blind to dead letters, or ended meanwhile: another process steps in, or none is needed.
    if (self->stopped_ || !self->dead_letters_.active()) co_return;
  }
  self->note(a.stream_sequence);
  co_await self->park_from_stream(a);
}

awaitable<void> park_watcher::park_from_stream(const max_deliveries_advisory& a) {
  constexpr int tries = 6;
  auto js = state_->js;
  std::optional<jetstream::stored_message> stored;
  error_code failure;
  for (int n = 0; n != tries && !stored; ++n) {
    if (n != 0) co_await pause(state_->nc.get_executor(), 100ms * (1 << n));
    try {
      stored = co_await js.get_message(comms_stream_name, a.stream_sequence);
    } catch (const system_error& e) {
      failure = e.code();
      if (!passing(failure)) break;
    }
  }
  if (!stored) {
    state_->emit({.kind = fabric_event_kind::park_failed, .sequence = a.stream_sequence, .error = failure});
    co_return;
  }
  state_->emit({.kind = fabric_event_kind::max_deliveries,
                .subject = stored->subject,
                .sequence = a.stream_sequence,
                .attempt = a.deliveries});
  const auto reason = "no answer to any of " + std::to_string(a.deliveries) + " deliveries (max deliveries reached)";
  const dead_letter letter{stored->subject, reason, durable_, a.stream_sequence, stored->payload};
  dead_letter_post post(state_->nc);
  auto refused = co_await post.send(letter);
  if (!refused) refused = co_await post.confirm();
  auto kind = fabric_event_kind::parked;
  if (refused) kind = fabric_event_kind::dead_letter_failed;
  parked_ += refused ? 0 : 1;
  state_->emit(
      {.kind = kind, .subject = stored->subject, .sequence = a.stream_sequence, .error = refused, .text = reason});
}

}  // namespace compass_fabric::fabric
