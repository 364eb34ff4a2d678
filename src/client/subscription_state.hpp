// SPDX-License-Identifier: Apache-2.0
// What a subscription handle refers to: the protocol's record, the waiting messages and whoever waits for them.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include <compass_fabric/options.hpp>
#include <compass_fabric/subscription.hpp>

#include "client/message_queue.hpp"
#include "client/scheduler.hpp"
#include "proto/subscriptions.hpp"

namespace compass_fabric::client {

class connection_core;

/// Owned by its handle; the registry refers to it while it is active.
class subscription_state : public proto::subscription_record, public std::enable_shared_from_this<subscription_state> {
 public:
  subscription_state(std::shared_ptr<connection_core> core, std::string_view subject, message_handler handler,
                     const subscribe_options& options);
  /// Leaves the registry if it is still there: the handler that should have ended it was destroyed with the context.
  ~subscription_state();

  /// One message arrived. Calls the handler or queues. Returns how many messages had to be dropped.
  std::size_t deliver(const message_view& m);
  /// True once per slow episode: the first drop after the queue was last half empty.
  bool begins_slow_episode() noexcept;

  /// No more messages will come: waiting callers get what is queued, then `reason`.
  void end(error_code reason) noexcept;
  /// Breaks a cycle through what the handler captured. Not inside the handler.
  void drop_handler() noexcept { handler_ = nullptr; }
  void discard_pending() noexcept { queue_.clear(); }

  /// `keep_alive` is this object: the handle may go while its caller waits.
  asio::awaitable<message> next(std::chrono::milliseconds timeout, std::shared_ptr<subscription_state> keep_alive);
  std::optional<message> try_next();
  /// Waits until everything queued was taken. False when `until` came first.
  asio::awaitable<bool> emptied(proto::time_point until);

  subscription_stats stats() const noexcept;
  bool active() const noexcept { return sid != 0; }
  error_code reason() const noexcept { return reason_; }
  connection_core& core() const noexcept { return *core_; }

 private:
  std::size_t make_room(std::size_t bytes);
  bool over_limits(std::size_t bytes) const noexcept;
  message take();

  std::shared_ptr<connection_core> core_;
  message_handler handler_;
  message_queue queue_;
  waiter_list waiters_;   // callers of next
  waiter_list draining_;  // callers of drain
  std::size_t message_limit_;
  std::size_t byte_limit_;
  std::uint64_t dropped_ = 0;
  error_code reason_;
  limit_policy policy_;
  bool slow_ = false;
  bool ended_ = false;
};

}  // namespace compass_fabric::client
