// SPDX-License-Identifier: Apache-2.0
// The receiving half that does not depend on a link: the registry, and messages to the subscriptions they are for.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "client/event_hub.hpp"
#include "client/subscription_state.hpp"
#include "proto/parser.hpp"
#include "proto/subscriptions.hpp"

namespace compass_fabric::client {

class inbound {
 public:
  explicit inbound(event_hub& events) noexcept : events_(events) {}

  proto::subscriptions& registry() noexcept { return registry_; }
  static subscription_state& state_of(proto::subscription_record& r) noexcept {
    return static_cast<subscription_state&>(r);
  }

  /// Hands `f` to its subscription; unknown sids are late and dropped.
  void deliver(const proto::frame& f);
  /// Takes `s` out of the registry and ends it with `reason`.
  void remove(subscription_state& s, error_code reason) noexcept;
  /// Ends every subscription with `reason`.
  void end_all(error_code reason) noexcept;
  /// Call after a run of `deliver`: subscriptions that ended, perhaps inside their own handler, are let go.
  void release_ended() noexcept;

  /// Subscriptions that are full may ask for the socket to be left alone; `go_on_reading` takes one such wish back and
  /// is true when it was the last.
  void stop_reading() noexcept { ++stopping_; }
  bool go_on_reading() noexcept { return --stopping_ == 0; }
  bool reading_stopped() const noexcept { return stopping_ != 0; }

  std::uint64_t in_messages() const noexcept { return in_messages_; }
  std::uint64_t in_bytes() const noexcept { return in_bytes_; }
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  event_hub& events_;
  proto::subscriptions registry_;
  std::vector<std::shared_ptr<subscription_state>> ended_;
  std::uint64_t in_messages_ = 0;
  std::uint64_t in_bytes_ = 0;
  std::uint64_t dropped_ = 0;
  std::size_t stopping_ = 0;
};

}  // namespace compass_fabric::client
