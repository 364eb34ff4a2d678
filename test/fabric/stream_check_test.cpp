// SPDX-License-Identifier: Apache-2.0
#include "fabric/stream_check.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric;
using namespace compass_fabric::fabric;

TEST_CASE("a stream position holds every place up to the newest one seen", "[fabric]") {
  stream_position position;
  CHECK(position.holds(0));
  CHECK_FALSE(position.holds(1));
  position.saw(7);
  position.saw(3);
  CHECK(position.newest() == 7);
  CHECK(position.holds(7));
  CHECK_FALSE(position.holds(8));
  position.rewind(2);
  CHECK_FALSE(position.holds(3));
}

TEST_CASE("a consumer is ahead when it has delivered or acked beyond the end of its stream", "[fabric]") {
  jetstream::consumer_info info;
  CHECK(ahead_of_stream(info, 0).empty());
  info.delivered.stream_sequence = 10;
  CHECK(ahead_of_stream(info, 10).empty());
  CHECK(ahead_of_stream(info, 9).find("reached sequence 10, the stream ends at 9") != std::string::npos);
  info.delivered.stream_sequence = 0;
  info.ack_floor.stream_sequence = 5;
  CHECK(ahead_of_stream(info, 5).empty());
  CHECK_FALSE(ahead_of_stream(info, 4).empty());
}
