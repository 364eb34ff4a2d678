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

 private:
  void deliver(const connection_event& event);

  scheduler& scheduler_;
  std::vector<std::weak_ptr<event_handler>> handlers_;
};

}  // namespace compass_fabric::client
