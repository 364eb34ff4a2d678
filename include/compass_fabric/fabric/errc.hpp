// SPDX-License-Identifier: Apache-2.0
// The event fabric's error conditions as a plain enum, usable without Boost. `error.hpp` makes error codes of them.
#pragma once

namespace compass_fabric::fabric {

/// What the fabric refuses, or could not do. Values are stable; new ones are added at the end.
enum class errc {
  /// A tenant, runner id or session id breaks the subject token rule.
  invalid_token = 1,
  /// A runner id that would make its command subject part of the comms stream.
  reserved_token,
  /// Not one of the seven comms kinds.
  unknown_kind,
  /// A field of an event reference other than tenant and kind is empty or not text.
  invalid_field,
  /// A payload is not the JSON of an event reference.
  malformed_event,
  /// A configuration value is outside its documented range.
  invalid_config,
  /// The stream or a consumer differs from what this process declares.
  topology_mismatch,
  /// The subscription was stopped.
  subscription_stopped,
};

/// A short lower-case text for `e`, static storage.
constexpr const char* to_string(errc e) noexcept {
  switch (e) {
    case errc::invalid_token: return "invalid subject token";
    case errc::reserved_token: return "reserved subject token";
    case errc::unknown_kind: return "unknown event kind";
    case errc::invalid_field: return "invalid field of an event reference";
    case errc::malformed_event: return "malformed event reference";
    case errc::invalid_config: return "invalid fabric configuration";
    case errc::topology_mismatch: return "stream or consumer differs from the declared topology";
    case errc::subscription_stopped: return "subscription stopped";
  }
  return "unknown error";
}

}  // namespace compass_fabric::fabric
