// SPDX-License-Identifier: Apache-2.0
// The declared topology: what stream and consumers must be, and how what is there is made so or refused.
#pragma once

#include "fabric/fabric_state.hpp"

#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/event_fabric.hpp>
#include <compass_fabric/jetstream/config.hpp>

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::fabric {

/// The comms stream by `settings`, with the replicas left to the server.
jetstream::stream_config declared_stream(const config& settings);

/// The durable consumer of `subject`; its replicas follow the stream's.
jetstream::consumer_config declared_consumer(const config& settings, std::string_view subject);

/// The consumer of that name, or nothing. Errors: those of the context but `consumer_not_found`.
boost::asio::awaitable<std::optional<jetstream::consumer_info>> find_consumer(jetstream::context js,
                                                                              std::string_view durable);

/// The replicas to ask for on a server that is in a cluster or not.
int wanted_replicas(replica_count replicas, bool clustered);

/// One line with every difference, or an empty one.
std::string describe(const std::vector<jetstream::config_difference>& differences);

/// Makes or checks the stream. Errors: `topology_mismatch`, and those of the context.
boost::asio::awaitable<provision_report> ensure_stream(const fabric_state& state, topology_mode mode);

/// Makes or checks the consumer of `subject`. Errors as `ensure_stream`.
boost::asio::awaitable<void> ensure_consumer(const fabric_state& state, std::string_view subject, topology_mode mode);

}  // namespace compass_fabric::fabric
