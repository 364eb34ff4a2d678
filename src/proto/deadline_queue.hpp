// SPDX-License-Identifier: Apache-2.0
// Who has to be woken when: every wait of a connection in one list ordered by deadline, served by one timer.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace compass_fabric::proto {

using time_point = std::chrono::steady_clock::time_point;

/// `now + wait` without overflow, whatever the unit: a wait too long for the clock means "never" (time_point::max()).
template <class Rep, class Period>
time_point deadline_after(time_point now, std::chrono::duration<Rep, Period> wait) noexcept {
  if (wait <= wait.zero()) return now;
  // Compared in the caller's unit: there what is left cannot overflow, and no nanosecond is lost to rounding.
  if (wait > std::chrono::floor<std::chrono::duration<std::int64_t, Period>>(time_point::max() - now))
    return time_point::max();
  return now + std::chrono::duration_cast<time_point::duration>(wait);
}

/// Something with a deadline. It leaves the queue by itself when destroyed.
class deadline_node {
 public:
  deadline_node() noexcept = default;
  deadline_node(const deadline_node&) = delete;
  deadline_node& operator=(const deadline_node&) = delete;

 protected:
  ~deadline_node();

 private:
  friend class deadline_queue;
  class deadline_queue* queue_ = nullptr;
  deadline_node* previous_ = nullptr;
  deadline_node* next_ = nullptr;
  time_point at_;
};

/// Nodes by deadline, intrusive: nothing is allocated. Insertion searches from the back, which is one step for the
/// usual case of equal timeouts. Must outlive its nodes or be emptied before.
class deadline_queue {
 public:
  deadline_queue() noexcept = default;
  deadline_queue(const deadline_queue&) = delete;
  deadline_queue& operator=(const deadline_queue&) = delete;

  /// Queues `node` for `at`, moving it when it is queued already. time_point::max() = never: it is only removed.
  void set(deadline_node& node, time_point at) noexcept;
  void erase(deadline_node& node) noexcept;
  /// The earliest deadline, if any.
  std::optional<time_point> earliest() const noexcept;
  /// Removes and returns a node whose deadline is at or before `now`, earliest first; null when there is none.
  deadline_node* pop_expired(time_point now) noexcept;

 private:
  deadline_node* first_ = nullptr;
  deadline_node* last_ = nullptr;
};

}  // namespace compass_fabric::proto
