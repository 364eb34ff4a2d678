// SPDX-License-Identifier: Apache-2.0
#include "client/event_hub.hpp"

#include <algorithm>

namespace compass_fabric::client {

event_registration event_hub::add(event_handler handler) {
  auto entry = std::make_shared<event_handler>(std::move(handler));
  handlers_.push_back(entry);
  return entry;
}

void event_hub::emit(connection_event event) {
  scheduler_.defer([self = shared_from_this(), e = std::move(event)] { self->deliver(e); });
}

void event_hub::deliver(const connection_event& event) {
  std::erase_if(handlers_, [](const auto& entry) { return entry.expired(); });
  const auto current = handlers_;  // a handler may add or remove handlers
  for (const auto& entry : current)
    if (const auto handler = entry.lock()) scheduler_.guarded([&] { (*handler)(event); });
}

}  // namespace compass_fabric::client
