// SPDX-License-Identifier: Apache-2.0
#include "fabric/retry.hpp"

#include <algorithm>

namespace compass_fabric::fabric {
namespace {

std::chrono::milliseconds failure_delay(const retry_policy& policy, std::uint64_t attempts) {
  const auto& delays = policy.failure_delays;
  if (delays.empty()) return std::chrono::milliseconds(0);
  return delays[std::min<std::uint64_t>(attempts, delays.size()) - 1];
}

decision decide_failure(const attempt& finished, const retry_policy& policy, std::uint64_t max_deliver) {
  if (finished.lapsed) return {verdict::leave};
  const auto delivered = std::max<std::uint64_t>(finished.num_delivered.value_or(1), 1);
  if (finished.num_delivered && delivered >= max_deliver) return {verdict::park};
  return {verdict::nak, failure_delay(policy, delivered)};
}

}  // namespace

decision decide(const attempt& finished, const retry_policy& policy, std::uint64_t max_deliver) {
  switch (finished.result) {
    case outcome::handled: return {verdict::ack};
    case outcome::undecodable: return {verdict::park};
    case outcome::failed: break;
    case outcome::transient:
      if (!finished.lapsed && finished.held < policy.transient_limit) return {verdict::hold};
  }
  return decide_failure(finished, policy, max_deliver);
}

std::chrono::milliseconds transient_pause(const retry_policy& policy, unsigned failures) {
  auto pause = policy.transient_delay;
  for (unsigned n = 1; n < failures && pause < policy.transient_max_delay; ++n) pause *= 2;
  return std::min(pause, policy.transient_max_delay);
}

}  // namespace compass_fabric::fabric
