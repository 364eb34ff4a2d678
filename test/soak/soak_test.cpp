// SPDX-License-Identifier: Apache-2.0
#include "soak/soak.hpp"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <string>

using namespace compass_fabric::testing;

namespace {

/// COMPASS_FABRIC_SOAK_SECONDS, or a short run.
seconds length() {
  const char* const given = std::getenv("COMPASS_FABRIC_SOAK_SECONDS");
  return seconds(given != nullptr ? std::stol(given) : 10);
}

// A sanitizer keeps what is freed, on purpose.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool memory_tells = false;
#elif defined(__has_feature)
constexpr bool memory_tells = !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer));
#else
constexpr bool memory_tells = true;
#endif

}  // namespace

TEST_CASE("a cluster under load loses nothing acknowledged while its nodes leave, die, freeze and vanish",
          "[soak][row46][row47]") {
  const auto report = soak(length());
  for (const auto& fault : report.faults) UNSCOPED_INFO(fault);
  UNSCOPED_INFO(report.troubles << " troubles, " << report.reconnects << " reconnects, " << report.received
                                << " messages received, memory " << report.memory_early << " -> "
                                << report.memory_late);
  CHECK(report.faults.empty());
  CHECK(report.acknowledged > 0);
  CHECK(report.stored == report.acknowledged);
  CHECK(report.reconnects > 0);
  // What is remembered of each acknowledged message is counted in.
  if (memory_tells) CHECK(report.memory_late < report.memory_early + 16 * 1024 * 1024 + 100 * report.acknowledged);
  WARN(report.troubles << " troubles, " << report.reconnects << " reconnects, " << report.received << " received, "
                       << report.acknowledged << " acknowledged, " << report.stored << " stored, memory "
                       << report.memory_early / 1024 << " -> " << report.memory_late / 1024 << " KiB");
}
