// SPDX-License-Identifier: Apache-2.0
// Racing the addresses of a host (RFC 8305): their order, and when the next one is started.
//
//   address_race race(order.size(), 250ms);
//   for (auto m = race.next(now); m.kind == address_race::move::start; m = race.next(now)) start(order[m.index]);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <compass_fabric/address_order.hpp>

#include "proto/deadline_queue.hpp"

namespace compass_fabric::proto {

/// Indices into `is_ipv6`, which tells the family of each resolved address, in the order to try them.
std::vector<std::size_t> order_addresses(const std::vector<bool>& is_ipv6, address_order order);

/// One race over `count` addresses. Report each start's failure; a success ends the race.
class address_race {
 public:
  struct move {
    enum class kind_type : std::uint8_t {
      /// Start the address `index` now, then ask again.
      start,
      /// Nothing before `until`, unless one fails meanwhile; `until` may be the end of time.
      wait,
      /// All have failed.
      lost,
    };
    kind_type kind;
    std::size_t index = 0;
    time_point until = time_point::max();
  };

  address_race(std::size_t count, std::chrono::milliseconds stagger) noexcept : count_(count), stagger_(stagger) {}

  move next(time_point now) noexcept;
  /// One of the started failed: the next one need not wait.
  void failed() noexcept;

 private:
  std::size_t count_;
  std::chrono::milliseconds stagger_;
  std::size_t started_ = 0;
  std::size_t running_ = 0;
  time_point due_ = time_point::min();
};

}  // namespace compass_fabric::proto
