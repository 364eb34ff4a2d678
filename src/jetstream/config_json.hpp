// SPDX-License-Identifier: Apache-2.0
// Configurations to JSON, and "make it as wanted": what differs, and what to send to change only that.
#pragma once

#include <string>

#include <compass_fabric/jetstream/config.hpp>

namespace compass_fabric::jetstream {

/// The body of STREAM.CREATE and STREAM.UPDATE.
std::string to_json(const stream_config& config);
/// The configuration alone, as it stands in the body of CONSUMER.CREATE.
std::string to_json(const consumer_config& config);

/// `found` with every member that `wanted` sets, and the server's own metadata.
stream_config merged(const stream_config& wanted, const stream_config& found);
consumer_config merged(const consumer_config& wanted, const consumer_config& found);

}  // namespace compass_fabric::jetstream
