// SPDX-License-Identifier: Apache-2.0
#include "client/inbound.hpp"

#include <utility>

namespace compass_fabric::client {

void inbound::deliver(const proto::frame& f) {
  ++in_messages_;
  in_bytes_ += f.header_block.size() + f.payload.size();
  proto::subscription_record* const record = registry_.find(f.sid);
  if (record == nullptr || !proto::count_delivery(*record)) return;
  subscription_state& s = state_of(*record);
  // The last delivery leaves the registry first: the handler may then subscribe or unsubscribe as it likes.
  if (proto::is_finished(s)) remove(s, {});
  const std::size_t dropped = s.deliver({f.subject, f.reply, f.header_block, f.payload});
  if (dropped == 0) return;
  dropped_ += dropped;
  if (!s.begins_slow_episode()) return;
  connection_event slow{event_kind::slow_consumer, {}, {}, s.subject, {}, s.stats().dropped};
  events_.emit(std::move(slow));
}

// The state may be inside its own handler, whose captures must survive the call.
void inbound::remove(subscription_state& s, error_code reason) noexcept {
  if (!s.active()) return;
  ended_.push_back(s.shared_from_this());
  registry_.remove(s);
  s.end(reason);
}

// Destroying a handler destroys what it captured, which may end further subscriptions.
void inbound::release_ended() noexcept {
  while (!ended_.empty()) {
    const auto ended = std::exchange(ended_, {});
    for (const auto& s : ended) s->drop_handler();
  }
}

void inbound::end_all(error_code reason) noexcept {
  registry_.for_each([&](proto::subscription_record& r) { remove(state_of(r), reason); });
}

}  // namespace compass_fabric::client
