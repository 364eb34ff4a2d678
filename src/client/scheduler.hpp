// SPDX-License-Identifier: Apache-2.0
// The turns of a connection: what became ready is run together, then the outbox is flushed once. One timer serves every
// deadline of the connection.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "client/waiter.hpp"

namespace compass_fabric::client {

/// Runs on one executor. Created by the connection, stopped by it, and kept alive by its own pending handlers.
class scheduler : public std::enable_shared_from_this<scheduler> {
 public:
  /// `flush` is called at the end of each turn.
  scheduler(asio::any_io_executor executor, std::function<void()> flush);

  const asio::any_io_executor& executor() const noexcept { return executor_; }
  static proto::time_point now() noexcept { return std::chrono::steady_clock::now(); }

  void set_deadline(timed& node, proto::time_point at);
  void clear_deadline(timed& node) noexcept { deadlines_.erase(node); }

  /// Asks for a turn: soon, but not inside this call. Cheap when one is on its way.
  void schedule() {
    if (!turn_pending_) post_turn();
  }
  /// Runs `action` at the start of the next turn, after what was deferred before.
  void defer(std::function<void()> action);

  /// While one exists (the reader works through what it received) no turn is posted; its end is the turn.
  class batch {
   public:
    explicit batch(scheduler& s) noexcept : scheduler_(s), outer_(s.turn_pending_) { s.turn_pending_ = true; }
    batch(const batch&) = delete;
    batch& operator=(const batch&) = delete;
    ~batch() {
      if (!outer_) scheduler_.turn_pending_ = false;
      scheduler_.run_turn();
    }

   private:
    scheduler& scheduler_;
    bool outer_;  // a turn was posted before: it will find nothing to do
  };

  /// Calls `f` such that an exception it throws leaves through the executor's run function instead of the caller.
  template <class F>
  void guarded(F&& f) noexcept {
    try {
      f();
    } catch (...) {
      rethrow_later();
    }
  }

  /// Rethrows the current exception from the executor's run function.
  void rethrow_later() noexcept;

  /// The end: everything completed is run, and whoever waits still ends with `connection_closed`; the timer goes.
  /// Nothing may wait any more.
  void stop();
  /// The executor's context is being destroyed: waiting frames are destroyed unrun.
  void abandon() noexcept;

 private:
  friend class waiter;
  struct timer_watch;
  using turn_list = boost::intrusive::list<waiter, boost::intrusive::member_hook<waiter, link_hook, &waiter::turn_>,
                                           boost::intrusive::constant_time_size<false>>;

  void post_turn();
  void run_turn();
  void run_ready();
  void arm();
  void on_timer();

  asio::any_io_executor executor_;
  std::function<void()> flush_;
  std::optional<asio::steady_timer> timer_;
  proto::time_point armed_ = proto::time_point::max();
  proto::deadline_queue deadlines_;
  turn_list waiting_;
  turn_list ready_;
  std::vector<std::function<void()>> deferred_;
  bool turn_pending_ = false;
  bool stopped_ = false;
};

}  // namespace compass_fabric::client
