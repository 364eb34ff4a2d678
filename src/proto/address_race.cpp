// SPDX-License-Identifier: Apache-2.0
#include "proto/address_race.hpp"

namespace compass_fabric::proto {
namespace {

bool begins_with_ipv6(const std::vector<bool>& is_ipv6, address_order order) noexcept {
  if (order == address_order::as_resolved) return !is_ipv6.empty() && is_ipv6.front();
  return order == address_order::ipv6_first || order == address_order::ipv6_only;
}

}  // namespace

std::vector<std::size_t> order_addresses(const std::vector<bool>& is_ipv6, address_order order) {
  const bool first_family = begins_with_ipv6(is_ipv6, order);
  std::vector<std::size_t> first, second;
  for (std::size_t i = 0; i < is_ipv6.size(); ++i) (is_ipv6[i] == first_family ? first : second).push_back(i);
  if (order == address_order::ipv4_only || order == address_order::ipv6_only) return first;
  std::vector<std::size_t> result;
  for (std::size_t i = 0; result.size() < is_ipv6.size(); ++i) {
    if (i < first.size()) result.push_back(first[i]);
    if (i < second.size()) result.push_back(second[i]);
  }
  return result;
}

address_race::move address_race::next(time_point now) noexcept {
  using kind = move::kind_type;
  if (started_ == count_) return {running_ == 0 ? kind::lost : kind::wait};
  if (running_ != 0 && now < due_) return {kind::wait, 0, due_};
  ++running_;
  due_ = now + stagger_;
  return {kind::start, started_++};
}

void address_race::failed() noexcept {
  --running_;
  due_ = time_point::min();
}

}  // namespace compass_fabric::proto
