// SPDX-License-Identifier: Apache-2.0
// Event handlers and the way events reach them: in order, and never from inside the call that caused them.
#pragma once

#include <memory>
#include <vector>

#include <compass_fabric/connection.hpp>
#include <compass_fabric/connection_event.hpp>

#include "client/scheduler.hpp"

namespace compass_fabric::client {

class event_hub : public std::enable_shared_from_this<event_hub> {
 public:
  explicit event_hub(scheduler& s) : scheduler_(s) {}

  /// Adds a handler for as long as the result lives.
  event_registration add(event_handler handler);
  void emit(connection_event event);
  /// Entries kept, those of handlers that are gone among them.
  std::size_t size() const noexcept { return handlers_.size(); }

 private:
  void deliver(const connection_event& event);
  void sweep();

  scheduler& scheduler_;
  std::vector<std::weak_ptr<event_handler>> handlers_;
  std::size_t sweep_at_ = 16;
};

}  // namespace compass_fabric::client
