// SPDX-License-Identifier: Apache-2.0
// What a fabric and its subscriptions share.
#pragma once

#include "fabric/stream_position.hpp"

#include <compass_fabric/connection.hpp>
#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include <boost/asio/post.hpp>

#include <exception>
#include <memory>

namespace compass_fabric::fabric {

struct fabric_state {
  connection nc;
  jetstream::context js;
  config settings;
  fabric_event_handler on_event;
  std::shared_ptr<stream_position> position = std::make_shared<stream_position>();

  /// What the handler throws leaves through the executor's run function: the coroutine that reports goes on.
  void emit(const fabric_event& e) const {
    if (!on_event) return;
    try {
      on_event(e);
    } catch (...) {
      boost::asio::post(nc.get_executor(), [thrown = std::current_exception()] { std::rethrow_exception(thrown); });
    }
  }
};

}  // namespace compass_fabric::fabric
