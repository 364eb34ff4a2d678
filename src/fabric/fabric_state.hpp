// SPDX-License-Identifier: Apache-2.0
// What a fabric and its subscriptions share.
#pragma once

#include "fabric/stream_position.hpp"

#include <compass_fabric/connection.hpp>
#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include <memory>

namespace compass_fabric::fabric {

struct fabric_state {
  connection nc;
  jetstream::context js;
  config settings;
  fabric_event_handler on_event;
  std::shared_ptr<stream_position> position = std::make_shared<stream_position>();

  void emit(const fabric_event& e) const {
    if (on_event) on_event(e);
  }
};

}  // namespace compass_fabric::fabric
