// SPDX-License-Identifier: Apache-2.0
#include "proto/subscriptions.hpp"

#include "proto/serializer.hpp"

namespace compass_fabric::proto {

bool subscriptions::add(subscription_record& record) {
  record.sid = table_.insert(&record);
  return record.sid != 0;
}

void subscriptions::remove(subscription_record& record) noexcept {
  table_.erase(record.sid);
  record.sid = 0;
}

subscription_record* subscriptions::find(std::string_view subject, std::string_view queue) {
  subscription_record* found = nullptr;
  table_.for_each([&](subscription_record& r) {
    if (found == nullptr && r.subject == subject && r.queue == queue) found = &r;
  });
  return found;
}

void subscriptions::replay(flat_buffer& out) {
  table_.for_each([&](subscription_record& r) {
    r.delivered_earlier = r.delivered;
    append_subscribe(out, r.subject, r.queue, r.sid);
    if (r.max != 0) append_unsubscribe(out, r.sid, limit_on_link(r));
  });
}

}  // namespace compass_fabric::proto
