// SPDX-License-Identifier: Apache-2.0
// Parks what the server gave up on: events whose last delivery was never answered, because a handler hung or its
// process died. Such an event gets no further delivery, so no process could park it in the normal way.
//
// Every process that subscribes hears of it; one parks it. The server picks a first one by a queue group; the others
// wait a while for its dead letter, which they see on the dead-letter subject, and step in when none comes (the first
// one may be the very process that hangs). Each asks the server for everything sent so far before it looks, so a
// process that wakes up late sees that the work is done.
#pragma once

#include "fabric/advisory.hpp"
#include "fabric/fabric_state.hpp"
#include "fabric/wake_up.hpp"

#include <compass_fabric/subscription.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <set>
#include <string>

namespace compass_fabric::fabric {

class park_watcher : public std::enable_shared_from_this<park_watcher> {
 public:
  park_watcher(std::shared_ptr<const fabric_state> state, std::string durable);

  /// Subscribes; call it before the first pull, which may set off an advisory.
  void start();
  /// Ends it; what it has begun to park is still parked.
  void stop();
  std::uint64_t parked() const noexcept { return parked_; }

 private:
  enum class role { first, stand_in };

  void on_advisory(const message_view& m, role as);
  void on_dead_letter(const message_view& m);
  void note(std::uint64_t sequence);
  static boost::asio::awaitable<void> park(std::shared_ptr<park_watcher> self, max_deliveries_advisory a, role as);
  boost::asio::awaitable<void> wait_for_the_first();
  boost::asio::awaitable<void> park_from_stream(const max_deliveries_advisory& a);

  std::shared_ptr<const fabric_state> state_;
  std::string durable_;
  subscription first_, stand_in_, dead_letters_;
  // Events with a dead letter or one under way, the latest at the back.
  std::set<std::uint64_t> done_;
  std::deque<std::uint64_t> done_order_;
  std::minstd_rand random_;
  std::uint64_t parked_ = 0;
  bool stopped_ = false;
};

}  // namespace compass_fabric::fabric
