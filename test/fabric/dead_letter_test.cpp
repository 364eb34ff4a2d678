// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "fabric/advisory.hpp"
#include "fabric/dead_letter_post.hpp"

using namespace compass_fabric::fabric;
using namespace std::string_literals;

TEST_CASE("[000-85] a reason becomes one header line whatever it holds", "[fabric]") {
  CHECK(safe_reason("boom") == "boom");
  CHECK(safe_reason("a\r\nNats-Msg-Id: x") == "a  Nats-Msg-Id: x");
  CHECK(safe_reason("a\0b\tc\x7f"s) == "a b c ");
  CHECK(safe_reason("\xc3\xa4") == "\xc3\xa4");
  CHECK(safe_reason(std::string(5000, 'x')).size() == 1024);
}

TEST_CASE("[000-84][000-85] a dead letter names its subject and reason, its consumer and place", "[fabric]") {
  const dead_letter letter{"compass.a.comms.topic_upserted", "bad\nrow", "comms-1", 42, "{}"};
  const auto fields = dead_letter_headers(letter);
  CHECK(fields.get("Compass-Original-Subject") == "compass.a.comms.topic_upserted");
  CHECK(fields.get("Compass-Park-Reason") == "bad row");
  CHECK(fields.get("Compass-Park-Consumer") == "comms-1");
  CHECK(fields.get("Compass-Park-Sequence") == "42");
}

TEST_CASE("[000-80] a dead letter without metadata has no place", "[fabric]") {
  const dead_letter letter{"s", "", "comms-1", 0, ""};
  CHECK(!dead_letter_headers(letter).get("Compass-Park-Sequence"));
  CHECK(dead_letter_headers(letter).get("Compass-Park-Reason") == "");
}

TEST_CASE("[D18] the max-deliveries advisory tells sequence and count, and anything else is none", "[fabric]") {
  CHECK(max_deliveries_subject("comms-1") == "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.COMPASS_COMMS.comms-1");
  const max_deliveries_advisory wanted{7, 5};
  CHECK(parse_max_deliveries(
            R"({"type":"io.nats.jetstream.advisory.v1.max_deliver","id":"x","timestamp":"2025-01-01T00:00:00Z",
                                "stream":"COMPASS_COMMS","consumer":"comms-1","stream_seq":7,"deliveries":5})") ==
        wanted);
  CHECK(parse_max_deliveries(R"({"deliveries":5,"stream_seq":7})") == wanted);
  for (const auto text : {"", "{}", "[]", "x", R"({"stream_seq":7})", R"({"stream_seq":-1,"deliveries":5})",
                          R"({"stream_seq":"7","deliveries":5})"}) {
    CHECK(!parse_max_deliveries(text));
  }
}
