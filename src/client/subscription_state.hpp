// SPDX-License-Identifier: Apache-2.0
// What a subscription handle refers to: the protocol's record, and its handler or the messages that wait.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include <compass_fabric/options.hpp>
#include <compass_fabric/subscription.hpp>

#include "client/bounded_queue.hpp"
#include "client/scheduler.hpp"
#include "proto/subscription_watch.hpp"
#include "proto/subscriptions.hpp"
#include "proto/work_progress.hpp"

namespace compass_fabric::client {

class connection_core;

/// Owned by its handle; the registry refers to it while it is active.
class subscription_state : public proto::subscription_record, public std::enable_shared_from_this<subscription_state> {
 public:
  /// With a plain handler, or without one.
  subscription_state(std::shared_ptr<connection_core> core, std::string_view subject, message_handler handler,
                     const subscribe_options& options);
  subscription_state(std::shared_ptr<connection_core> core, std::string_view subject, coroutine_handler handler,
                     const subscribe_options& options);
  /// Leaves the registry if it is still there: the handler that should have ended it was destroyed with the context.
  ~subscription_state();

  /// The registry has it: its time limits begin.
  void start();
  /// One message arrived. Calls the handler or queues. Returns how many messages had to be dropped.
  std::size_t deliver(const message_view& m);
  /// True once per slow episode: the first drop after the queue was last half empty.
  bool begins_slow_episode() noexcept;

  /// No more messages will come: waiting callers get what is queued, then `reason`.
  void end(error_code reason) noexcept;
  /// Breaks a cycle through what the handler captured. Not inside the handler.
  void drop_handler() noexcept;
  void discard_pending() noexcept;
  /// It is to end when everything on its way has come: no limit stops the reader any more.
  void begin_drain() noexcept;

  /// `keep_alive` is this object: the handle may go while its caller waits.
  asio::awaitable<message> next(std::chrono::milliseconds timeout, std::shared_ptr<subscription_state> keep_alive);
  asio::awaitable<std::vector<message>> next_batch(std::chrono::milliseconds timeout, std::size_t most,
                                                   std::shared_ptr<subscription_state> keep_alive);
  std::optional<message> try_next();
  /// Waits until everything queued was taken and handled. False when `until` came first.
  asio::awaitable<bool> emptied(proto::time_point until);
  /// The number behind the last message received so far, for `handled`; 0 without a coroutine handler.
  std::uint64_t received_for_workers() const noexcept;
  /// Waits until coroutine handlers have finished every message before number `end`. False when `until` came first.
  asio::awaitable<bool> handled(std::uint64_t end, proto::time_point until);

  subscription_stats stats() const noexcept;
  bool active() const noexcept { return sid != 0; }
  error_code reason() const noexcept { return reason_; }
  connection_core& core() const noexcept { return *core_; }

 private:
  // Coroutines that take from the queue in place of callers of `next`.
  struct workers {
    std::shared_ptr<coroutine_handler> handler;  // shared with the running ones: it must outlive them
    std::size_t limit;
    std::size_t started = 0;
    proto::work_progress progress;
  };
  // What a subscription with a plain handler does without: there are many of those.
  struct waiting {
    explicit waiting(const subscribe_options& options) noexcept : messages(options) {}
    bounded_queue messages;
    waiter_list takers;    // callers of next, and idle workers
    waiter_list watchers;  // callers of drain and barrier
    std::unique_ptr<workers> handlers;
    bool slow = false;
    bool stops_reader = false;
    bool draining = false;
  };
  struct watch;
  struct working;

  void prepare(std::string_view subject_name, const subscribe_options& options);
  void wake_one();
  void add_worker();
  static asio::awaitable<void> work(std::shared_ptr<working> life);
  asio::awaitable<void> handle_one();
  asio::awaitable<void> filled(std::chrono::milliseconds timeout);
  void require_takers() const;
  void let_reader_go_on() noexcept;
  bool may_stop_reader() const noexcept;
  bool idle() const noexcept;
  bool handled_before(std::uint64_t end) const noexcept;
  message take();
  void check_watch();

  std::shared_ptr<connection_core> core_;
  message_handler handler_;
  std::unique_ptr<waiting> waiting_;
  std::unique_ptr<watch> watch_;
  error_code reason_;
  bool ended_ = false;
};

}  // namespace compass_fabric::client
