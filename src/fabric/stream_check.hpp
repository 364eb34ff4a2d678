// SPDX-License-Identifier: Apache-2.0
// Whether the stream still holds what this process knows to be stored. A server that lost its disk's last seconds (see
// `sync_interval`) starts again with older data: sequences go backwards, and a consumer may be ahead of its stream.
#pragma once

#include "fabric/fabric_state.hpp"

#include <compass_fabric/jetstream/info.hpp>

#include <boost/asio/awaitable.hpp>

#include <string>

namespace compass_fabric::fabric {

/// What is wrong with `info` as a consumer of a stream that ends at `last_sequence`; empty when nothing is.
std::string ahead_of_stream(const jetstream::consumer_info& info, std::uint64_t last_sequence);

/// Asks for the end of the stream, and emits `stream_regressed` when it lies before what is known. Returns that end.
/// Errors: those of the context.
boost::asio::awaitable<std::uint64_t> check_stream(const fabric_state& state);

}  // namespace compass_fabric::fabric
