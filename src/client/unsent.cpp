// SPDX-License-Identifier: Apache-2.0
#include "client/unsent.hpp"

#include <utility>

namespace compass_fabric::client {

void unsent::link_lost(bool left) {
  out_.box().keep_publishes(
      [&](const proto::buffered_publish& p) { return left || !requests_.ends_with_link(p.reply); });
}

void unsent::drop_oversized() {
  waiting_ = out_.box().keep_publishes([&](const proto::buffered_publish& p) {
    if (p.size <= out_.max_payload()) return true;
    ++dropped_;
    requests_.fail_reply(p.reply, errc::max_payload_exceeded);
    report(p, errc::max_payload_exceeded);
    return false;
  });
}

void unsent::link_ready() noexcept {
  replayed_ += std::exchange(waiting_, 0);
  outage_reported_ = false;
}

// One event for each outage: there may be very many.
void unsent::dropped_offline(const proto::buffered_publish& p) {
  ++dropped_;
  if (waiting_ > 0) --waiting_;
  requests_.fail_reply(p.reply, errc::outbox_full);
  if (!std::exchange(outage_reported_, true)) report(p, errc::outbox_full);
}

// One event for all. Callers of requests know already.
void unsent::drop_all() {
  bool reported = false;
  out_.box().keep_publishes([&](const proto::buffered_publish& p) {
    if (requests_.owns(p.reply)) return false;
    ++dropped_;
    if (!std::exchange(reported, true)) report(p, errc::connection_closed);
    return false;
  });
}

void unsent::report(const proto::buffered_publish& p, errc why) {
  auto dropped = new_event_(event_kind::publish_dropped, why);
  dropped.subject = p.subject;
  dropped.count = p.size;
  events_.emit(std::move(dropped));
}

}  // namespace compass_fabric::client
