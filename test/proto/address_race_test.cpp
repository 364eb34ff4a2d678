// SPDX-License-Identifier: Apache-2.0
#include "proto/address_race.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using namespace std::chrono_literals;
using kind = address_race::move::kind_type;
using indices = std::vector<std::size_t>;

namespace {

const time_point start{};

void check_start(const address_race::move& m, std::size_t index) {
  CHECK(m.kind == kind::start);
  CHECK(m.index == index);
}

void check_wait(const address_race::move& m, time_point until) {
  CHECK(m.kind == kind::wait);
  CHECK(m.until == until);
}

}  // namespace

TEST_CASE("families alternate, in the order asked for", "[address_race][row2]") {
  const std::vector<bool> two_each{true, true, false, false};
  CHECK(order_addresses(two_each, address_order::as_resolved) == indices{0, 2, 1, 3});
  CHECK(order_addresses(two_each, address_order::ipv6_first) == indices{0, 2, 1, 3});
  CHECK(order_addresses(two_each, address_order::ipv4_first) == indices{2, 0, 3, 1});
  CHECK(order_addresses(two_each, address_order::ipv6_only) == indices{0, 1});
  CHECK(order_addresses(two_each, address_order::ipv4_only) == indices{2, 3});
  const std::vector<bool> uneven{false, true, true, true};
  CHECK(order_addresses(uneven, address_order::as_resolved) == indices{0, 1, 2, 3});
  CHECK(order_addresses(uneven, address_order::ipv6_first) == indices{1, 0, 2, 3});
  CHECK(order_addresses({}, address_order::as_resolved).empty());
  CHECK(order_addresses({false, false}, address_order::ipv6_only).empty());
  CHECK(order_addresses({false, false}, address_order::ipv6_first) == indices{0, 1});
}

TEST_CASE("a silent address delays the next by the stagger only", "[address_race][row3]") {
  address_race race(3, 250ms);
  check_start(race.next(start), 0);
  check_wait(race.next(start), start + 250ms);
  check_wait(race.next(start + 249ms), start + 250ms);
  check_start(race.next(start + 250ms), 1);
  check_wait(race.next(start + 250ms), start + 500ms);
  check_start(race.next(start + 510ms), 2);
  check_wait(race.next(start + 10s), time_point::max());
}

TEST_CASE("a failure starts the next address at once", "[address_race][row3]") {
  address_race race(3, 250ms);
  check_start(race.next(start), 0);
  race.failed();
  check_start(race.next(start + 1ms), 1);
  check_wait(race.next(start + 1ms), start + 251ms);
  check_start(race.next(start + 251ms), 2);
  race.failed();
  check_wait(race.next(start + 252ms), time_point::max());
  race.failed();
  CHECK(race.next(start + 253ms).kind == kind::lost);
}

TEST_CASE("a race over nothing is lost", "[address_race][row3]") {
  address_race race(0, 250ms);
  CHECK(race.next(start).kind == kind::lost);
}
