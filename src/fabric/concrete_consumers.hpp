// SPDX-License-Identifier: Apache-2.0
// Finds the consumers that a subscription to every tenant makes redundant.
#pragma once

#include <compass_fabric/fabric/event_kind.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace compass_fabric::fabric {

/// The subjects of the comms stream's consumers of `kind` for one tenant each.
boost::asio::awaitable<std::vector<std::string>> find_concrete_consumers(jetstream::context js, event_kind kind);

}  // namespace compass_fabric::fabric
