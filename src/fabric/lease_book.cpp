// SPDX-License-Identifier: Apache-2.0
#include "fabric/lease_book.hpp"

#include <algorithm>

namespace compass_fabric::fabric {

void lease_book::add(id delivery, clock::time_point now) {
  leases_[delivery] = {state::waiting, now, now};
}

void lease_book::run(id delivery, clock::time_point now) {
  auto& l = leases_.at(delivery);
  l.where = state::running;
  l.started = now;
}

void lease_book::hold(id delivery) {
  leases_.at(delivery).where = state::held;
}

void lease_book::remove(id delivery) {
  leases_.erase(delivery);
}

bool lease_book::lapsed(id delivery, clock::time_point now) const {
  const auto found = leases_.find(delivery);
  return found == leases_.end() || lapsed(found->second, now);
}

bool lease_book::lapsed(const lease& l, clock::time_point now) const {
  const auto margin = std::min(limits_.ack_wait / 10, std::chrono::milliseconds(1000));
  return now - l.renewed >= limits_.ack_wait - margin;
}

/// Every slot holds a handler that outlived its lease: nothing that waits will be reached in time.
bool lease_book::stuck(clock::time_point now) const {
  const auto limit = std::max(limits_.ack_wait, limits_.progress_cap);
  const auto overdue = std::count_if(leases_.begin(), leases_.end(), [&](const auto& entry) {
    return entry.second.where == state::running && now - entry.second.started >= limit;
  });
  return static_cast<std::size_t>(overdue) >= limits_.slots;
}

bool lease_book::renewable(const lease& l, clock::time_point now) const {
  if (lapsed(l, now)) return false;  // a renewal would extend somebody else's delivery
  return l.where != state::running || now - l.started < limits_.progress_cap;
}

std::vector<lease_book::action> lease_book::tick(clock::time_point now) {
  std::vector<action> due;
  const bool give_up_waiting = stuck(now);
  for (auto entry = leases_.begin(); entry != leases_.end();) {
    auto& [delivery, l] = *entry;
    if (l.where == state::waiting && give_up_waiting) {
      due.push_back({delivery, step::hand_back});
      entry = leases_.erase(entry);
      continue;
    }
    if (now - l.renewed >= limits_.ack_wait / 3 && renewable(l, now)) {
      l.renewed = now;
      due.push_back({delivery, step::renew});
    }
    ++entry;
  }
  return due;
}

}  // namespace compass_fabric::fabric
