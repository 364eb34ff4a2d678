// SPDX-License-Identifier: Apache-2.0
// The registry of subscriptions: what the server knows is rebuilt from it on every new link.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "proto/flat_buffer.hpp"
#include "proto/slot_table.hpp"

namespace compass_fabric::proto {

/// One subscription as the protocol sees it. The registry refers to it while `sid` is not 0.
struct subscription_record {
  std::string subject;
  std::string queue;
  std::uint64_t sid = 0;
  /// Ends after this many deliveries counted from the start; 0 = never.
  std::uint64_t max = 0;
  std::uint64_t delivered = 0;
  /// Of these, what came before the present link: its server counts from there.
  std::uint64_t delivered_earlier = 0;
};

/// Subscriptions by sid. A sid is never used twice, since the server ignores a SUB whose sid it still knows.
class subscriptions {
 public:
  /// Registers `record` and sets its sid. False when the table is full.
  bool add(subscription_record& record);
  /// Forgets `record`; its sid becomes 0. Messages that still arrive for it find nobody.
  void remove(subscription_record& record) noexcept;
  subscription_record* find(std::uint64_t sid) const noexcept { return table_.find(sid); }

  /// The first record with this subject and queue: the one a denial means, for the server names no sid there.
  subscription_record* find(std::string_view subject, std::string_view queue);

  /// Appends SUB, and UNSUB with what is left of `max`, for every record.
  void replay(flat_buffer& out);

  std::size_t size() const noexcept { return table_.size(); }
  template <class F>
  void for_each(F&& f) {
    table_.for_each(f);
  }

 private:
  slot_table<subscription_record> table_;
};

/// Counts a delivery to `record`. False: it is beyond `max` and must be dropped (a cluster may deliver more).
inline bool count_delivery(subscription_record& record) noexcept {
  if (record.max != 0 && record.delivered >= record.max) return false;
  ++record.delivered;
  return true;
}
/// What the server of the present link is to count to; 0 = end it now.
inline std::uint64_t limit_on_link(const subscription_record& record) noexcept {
  return record.max > record.delivered_earlier ? record.max - record.delivered_earlier : 0;
}
/// True when the delivery just counted was the last one.
inline bool is_finished(const subscription_record& record) noexcept {
  return record.max != 0 && record.delivered >= record.max;
}

}  // namespace compass_fabric::proto
