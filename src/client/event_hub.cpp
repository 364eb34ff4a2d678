// SPDX-License-Identifier: Apache-2.0
#include "client/event_hub.hpp"

#include <algorithm>

namespace compass_fabric::client {

event_registration event_hub::add(event_handler handler) {
  if (handlers_.size() >= sweep_at_) sweep();
  auto entry = std::make_shared<event_handler>(std::move(handler));
  handlers_.push_back(entry);
  return entry;
}

void event_hub::emit(connection_event event) {
  scheduler_.defer([self = shared_from_this(), e = std::move(event)] { self->deliver(e); });
}

// Handlers may come and go by the thousand without an event, such as those of single fetches.
void event_hub::sweep() {
  std::erase_if(handlers_, [](const auto& entry) { return entry.expired(); });
  sweep_at_ = std::max<std::size_t>(16, handlers_.size() * 2);
}

void event_hub::deliver(const connection_event& event) {
  sweep();
  const auto current = handlers_;  // a handler may add or remove handlers
  for (const auto& entry : current)
    if (const auto handler = entry.lock()) scheduler_.guarded([&] { (*handler)(event); });
}

}  // namespace compass_fabric::client
