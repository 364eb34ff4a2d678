// SPDX-License-Identifier: Apache-2.0
// Events that wait to be taken, and whoever waits for them.
#pragma once

#include <deque>
#include <memory>

#include <compass_fabric/connection.hpp>
#include <compass_fabric/event_stream.hpp>

#include "client/event_hub.hpp"
#include "client/scheduler.hpp"

namespace compass_fabric::client {

class connection_core;

/// Fed by its registration with the event hub as long as it lives.
class event_queue : public std::enable_shared_from_this<event_queue> {
 public:
  event_queue(std::shared_ptr<connection_core> core, std::size_t limit);
  /// Begins to collect.
  void start();

  asio::awaitable<connection_event> next(std::chrono::milliseconds timeout, std::shared_ptr<event_queue> keep_alive);
  std::optional<connection_event> try_next();
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  void push(const connection_event& e);

  std::shared_ptr<connection_core> core_;
  event_registration registration_;
  std::deque<connection_event> events_;
  waiter_list waiters_;
  std::size_t limit_;
  std::uint64_t dropped_ = 0;
  bool ended_ = false;
};

}  // namespace compass_fabric::client
