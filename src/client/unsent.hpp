// SPDX-License-Identifier: Apache-2.0
// What becomes of publishes that no link has taken: the next one sends them, or they are given up and somebody is told.
#pragma once

#include <cstdint>
#include <functional>

#include <compass_fabric/connection_event.hpp>

#include "client/event_hub.hpp"
#include "client/outbound.hpp"
#include "client/requests.hpp"

namespace compass_fabric::client {

/// Works on the outbox of a connection, and keeps count.
class unsent {
 public:
  /// `new_event` makes an event that names the server.
  unsent(outbound& out, requests& asked, event_hub& events,
         std::function<connection_event(event_kind, error_code)> new_event)
      : out_(out), requests_(asked), events_(events), new_event_(std::move(new_event)) {}

  /// The link was cut, or `left` with everything it took confirmed: only then it may be asked again what it was asked.
  void link_lost(bool left);
  /// The next link allows less than the one a publish was meant for: sending it would cost the link, again and again.
  void drop_oversized();
  /// The next link sends what is left.
  void link_ready() noexcept;
  /// `p` made room for a later publish.
  void dropped_offline(const proto::buffered_publish& p);
  /// No link will come any more.
  void drop_all();

  /// Publishes that a later link than their own has sent.
  std::uint64_t replayed() const noexcept { return replayed_; }
  std::uint64_t dropped() const noexcept { return dropped_; }

 private:
  void report(const proto::buffered_publish& p, errc why);

  outbound& out_;
  requests& requests_;
  event_hub& events_;
  std::function<connection_event(event_kind, error_code)> new_event_;
  std::uint64_t waiting_ = 0;  // for the link being made
  std::uint64_t replayed_ = 0;
  std::uint64_t dropped_ = 0;
  bool outage_reported_ = false;
};

}  // namespace compass_fabric::client
