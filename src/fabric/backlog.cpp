// SPDX-License-Identifier: Apache-2.0
#include "fabric/backlog.hpp"

#include <utility>

namespace compass_fabric::fabric {

void backlog::add(jetstream::message message, clock::time_point now) {
  auto d = std::make_shared<delivery>();
  d->id = ++last_id_;
  d->last = message.has_metadata() && message.metadata().delivered >= max_deliver_;
  d->message = std::move(message);
  book_.add(d->id, now);
  waiting_.push_back(d->id);
  deliveries_.emplace(d->id, std::move(d));
}

delivery_ptr backlog::take(clock::time_point now) {
  if (waiting_.empty()) return nullptr;
  const auto id = waiting_.front();
  waiting_.pop_front();
  // One that lapsed while it waited keeps its lapsed lease: the caller sees it and leaves it alone.
  if (!book_.lapsed(id, now)) book_.run(id, now);
  return deliveries_.at(id);
}

void backlog::done(const delivery& d) {
  book_.remove(d.id);
  deliveries_.erase(d.id);
}

std::size_t backlog::tick(clock::time_point now) {
  std::size_t handed_back = 0;
  for (const auto& [id, what] : book_.tick(now)) {
    const auto d = deliveries_.at(id);
    switch (what) {
      case lease_book::step::renew:
        // Best effort: a renewal that cannot be sent now is due again at the next tick.
        d->message.in_progress();
        break;
      case lease_book::step::cancel: d->cancel.emit(boost::asio::cancellation_type::terminal); break;
      case lease_book::step::hand_back:
        std::erase(waiting_, id);
        hand_back(*d);
        deliveries_.erase(id);
        ++handed_back;
        break;
    }
  }
  return handed_back;
}

void backlog::hand_back(delivery& d) {
  if (!d.message.nak()) ++stats_.handed_back;
}

void backlog::hand_back_waiting() {
  for (const auto id : std::exchange(waiting_, {})) {
    const auto d = deliveries_.at(id);
    if (d->last) {
      waiting_.push_back(id);
      continue;
    }
    hand_back(*d);
    done(*d);
  }
}

void backlog::recall() {
  for (const auto& d : all()) {
    d->recalled = true;
    d->cancel.emit(boost::asio::cancellation_type::terminal);
  }
}

std::vector<delivery_ptr> backlog::all() const {
  std::vector<delivery_ptr> found;
  found.reserve(deliveries_.size());
  for (const auto& [id, d] : deliveries_) found.push_back(d);
  return found;
}

}  // namespace compass_fabric::fabric
