// SPDX-License-Identifier: Apache-2.0
#include "fabric/digest.hpp"

#include <compass_fabric/fabric/config.hpp>

namespace compass_fabric::fabric {
namespace {

using namespace std::chrono_literals;

// The server counts nanoseconds in 64 bits; a longer time would wrap there.
constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365 * 100);

fault refuse(const char* text) { return {errc::invalid_config, text}; }

}  // namespace

std::optional<fault> check(const config& settings) {
  if (settings.max_deliver < 1) return refuse("max_deliver: must be 1 or more");
  if (settings.max_ack_pending < 1) return refuse("max_ack_pending: must be 1 or more");
  if (settings.ack_wait < 10ms || settings.ack_wait > longest) return refuse("ack_wait: must be 10 ms to 100 years");
  if (settings.duplicate_window < 100ms) return refuse("duplicate_window: must be 100 ms or more");
  if (settings.max_age < settings.duplicate_window) return refuse("max_age: must not be below duplicate_window");
  if (settings.max_age > longest) return refuse("max_age: must not exceed 100 years");
  if (settings.max_messages == 0) return refuse("max_messages: must be 1 or more, or negative for none");
  if (settings.max_bytes == 0) return refuse("max_bytes: must be 1 or more, or negative for none");
  return std::nullopt;
}

std::string durable_name(std::string_view subject) { return "comms-" + sha256_hex(subject); }

}  // namespace compass_fabric::fabric
