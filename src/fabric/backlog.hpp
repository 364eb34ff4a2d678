// SPDX-License-Identifier: Apache-2.0
// The events a subscription has in hand: those that wait for a handler, and those whose handler runs or is held back.
#pragma once

#include "fabric/lease_book.hpp"

#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/jetstream/message.hpp>

#include <boost/asio/cancellation_signal.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace compass_fabric::fabric {

/// One delivered event in hand.
struct delivery {
  std::uint64_t id = 0;
  jetstream::message message;
  boost::asio::cancellation_signal cancel;
  // The subscription ends: the event goes back whatever its handler makes of the cancellation.
  bool recalled = false;
  // The server gives the event up when this delivery fails or comes back.
  bool last = false;
};

using delivery_ptr = std::shared_ptr<delivery>;

/// Owns the deliveries and their leases, and answers for those no handler has seen. Not a coroutine; not thread-safe.
class backlog {
 public:
  using clock = lease_book::clock;

  /// `max_deliver`: the number of the last delivery that an event gets.
  backlog(const lease_book::limits& limits, std::uint64_t max_deliver, delivery_stats& stats)
      : book_(limits), max_deliver_(max_deliver), stats_(stats) {}

  void add(jetstream::message message, clock::time_point now);
  /// The next event that waits, or null. Its handler counts as running from now.
  delivery_ptr take(clock::time_point now);
  /// Its handler reported an outage: it is kept, and later run again.
  void hold(const delivery& d) { book_.hold(d.id); }
  void run_again(const delivery& d, clock::time_point now) { book_.run(d.id, now); }
  /// It was answered or left to the server.
  void done(const delivery& d);
  bool lapsed(const delivery& d, clock::time_point now) const { return book_.lapsed(d.id, now); }

  /// Renews and cancels what is due; hands back what waits behind stuck handlers and returns how many that were.
  std::size_t tick(clock::time_point now);
  /// Hands back everything no handler has seen, but for last deliveries, which go on waiting.
  void hand_back_waiting();
  /// Cancels running handlers; their events are to be handed back.
  void recall();
  /// What is in hand, also where its handler runs.
  std::vector<delivery_ptr> all() const;
  /// Answers `d` with a nak.
  void hand_back(delivery& d);

  bool empty() const noexcept { return deliveries_.empty(); }
  std::size_t size() const noexcept { return deliveries_.size(); }
  /// Events that are still ours.
  std::size_t in_hand(clock::time_point now) const { return book_.held_leases(now); }
  bool stuck() const { return book_.stuck(); }
  std::chrono::milliseconds interval() const { return book_.interval(); }

 private:
  lease_book book_;
  std::uint64_t max_deliver_;
  delivery_stats& stats_;
  std::map<std::uint64_t, delivery_ptr> deliveries_;
  std::deque<std::uint64_t> waiting_;
  std::uint64_t last_id_ = 0;
};

}  // namespace compass_fabric::fabric
