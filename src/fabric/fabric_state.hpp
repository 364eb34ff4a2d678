// SPDX-License-Identifier: Apache-2.0
// What a fabric and its subscriptions share.
#pragma once

#include <compass_fabric/connection.hpp>
#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/jetstream/context.hpp>

namespace compass_fabric::fabric {

struct fabric_state {
  connection nc;
  jetstream::context js;
  config settings;
  fabric_event_handler on_event;

  void emit(const fabric_event& e) const {
    if (on_event) on_event(e);
  }
};

}  // namespace compass_fabric::fabric
