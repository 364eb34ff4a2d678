// SPDX-License-Identifier: Apache-2.0
#include "fabric/lease_book.hpp"

#include <algorithm>

namespace compass_fabric::fabric {

void lease_book::add(id delivery, clock::time_point now) { leases_[delivery] = {state::waiting, now, now}; }

void lease_book::run(id delivery, clock::time_point now) {
  auto& l = leases_.at(delivery);
  l.where = state::running;
  l.started = now;
  l.cancelled = false;
}

void lease_book::hold(id delivery) { leases_.at(delivery).where = state::held; }

void lease_book::remove(id delivery) { leases_.erase(delivery); }

bool lease_book::lapsed(id delivery, clock::time_point now) const {
  const auto found = leases_.find(delivery);
  return found == leases_.end() || lapsed(found->second, now);
}

bool lease_book::lapsed(const lease& l, clock::time_point now) const {
  const auto margin = std::min(limits_.ack_wait / 10, std::chrono::milliseconds(1000));
  return now - l.renewed >= limits_.ack_wait - margin;
}

std::size_t lease_book::held_leases(clock::time_point now) const {
  const auto ours = [&](const auto& entry) { return !lapsed(entry.second, now); };
  return static_cast<std::size_t>(std::count_if(leases_.begin(), leases_.end(), ours));
}

bool lease_book::stuck() const {
  const auto overdue = [](const auto& entry) { return entry.second.where == state::running && entry.second.cancelled; };
  return static_cast<std::size_t>(std::count_if(leases_.begin(), leases_.end(), overdue)) >= limits_.slots;
}

bool lease_book::renewable(const lease& l, clock::time_point now) const {
  if (lapsed(l, now)) return false;  // a renewal would extend somebody else's delivery
  // Compared in milliseconds, where no cap overflows.
  const auto run_time = std::chrono::floor<std::chrono::milliseconds>(now - l.started);
  return l.where != state::running || run_time < limits_.progress_cap;
}

std::vector<lease_book::action> lease_book::tick(clock::time_point now) {
  std::vector<action> due;
  const bool give_up_waiting = stuck();
  for (auto& [delivery, l] : leases_) {
    if (l.where == state::waiting && give_up_waiting) {
      due.push_back({delivery, step::hand_back});
    } else if (l.where == state::running && !l.cancelled && lapsed(l, now)) {
      l.cancelled = true;
      due.push_back({delivery, step::cancel});
    } else if (now - l.renewed >= limits_.ack_wait / 3 && renewable(l, now)) {
      l.renewed = now;
      due.push_back({delivery, step::renew});
    }
  }
  std::erase_if(leases_, [&](const auto& entry) { return entry.second.where == state::waiting && give_up_waiting; });
  return due;
}

}  // namespace compass_fabric::fabric
