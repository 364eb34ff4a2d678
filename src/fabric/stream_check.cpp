// SPDX-License-Identifier: Apache-2.0
#include "fabric/stream_check.hpp"

#include <compass_fabric/fabric/config.hpp>

#include <algorithm>

namespace compass_fabric::fabric {

std::string ahead_of_stream(const jetstream::consumer_info& info, std::uint64_t last_sequence) {
  const auto reached = std::max(info.delivered.stream_sequence, info.ack_floor.stream_sequence);
  if (reached <= last_sequence) return {};
  return "the consumer has reached sequence " + std::to_string(reached) + ", the stream ends at " +
         std::to_string(last_sequence) + ": nothing is delivered until the stream is past it";
}

boost::asio::awaitable<std::uint64_t> check_stream(const fabric_state& state) {
  auto js = state.js;
  const auto position = state.position;
  const auto known = position->newest();  // before asking: what is stored meanwhile is no loss
  const auto info = co_await js.stream_info(comms_stream_name);
  const auto last = info.state.last_sequence;
  if (last >= known) co_return last;
  position->rewind(last);
  state.emit({.kind = fabric_event_kind::stream_regressed,
              .sequence = known,
              .text = "events were acknowledged up to this sequence and are lost",
              .count = last});
  co_return last;
}

}  // namespace compass_fabric::fabric
