// SPDX-License-Identifier: Apache-2.0
#include "jetstream/ack_subject.hpp"

#include <string>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;

TEST_CASE("the short form of an ack subject gives all metadata", "[jetstream]") {
  const auto m = js::parse_ack_subject("$JS.ACK.ORDERS.billing.2.100.7.1700000000123456789.42");
  REQUIRE(m);
  CHECK(m->stream == "ORDERS");
  CHECK(m->consumer == "billing");
  CHECK(m->domain.empty());
  CHECK(m->delivered == 2);
  CHECK(m->stream_sequence == 100);
  CHECK(m->consumer_sequence == 7);
  CHECK(m->time.time_since_epoch().count() == 1700000000123456789);
  CHECK(m->pending == 42);
}

TEST_CASE("the long form adds a domain and may carry more tokens than we know", "[jetstream]") {
  const auto plain = js::parse_ack_subject("$JS.ACK._.szMpdrwD.S1.d.1.2.3.4.5");
  REQUIRE(plain);
  CHECK(plain->stream == "S1");
  CHECK(plain->consumer == "d");
  CHECK(plain->domain.empty());
  CHECK(plain->pending == 5);
  const auto longer = js::parse_ack_subject("$JS.ACK.hub.hash.S1.d.1.2.3.4.5.rest.of.it");
  REQUIRE(longer);
  CHECK(longer->domain == "hub");
  CHECK(longer->delivered == 1);
  CHECK(longer->pending == 5);
}

TEST_CASE("sequences use all 64 bits", "[jetstream]") {
  const auto m = js::parse_ack_subject("$JS.ACK.S.c.1.18446744073709551615.9007199254740993.1.0");
  REQUIRE(m);
  CHECK(m->stream_sequence == 18446744073709551615u);
  CHECK(m->consumer_sequence == 9007199254740993u);
}

TEST_CASE("what has neither form is no ack subject", "[jetstream]") {
  for (const auto* subject :
       {"", "$JS.ACK.", "$JS.ACK", "_INBOX.a.1", "$JS.ACK.S.c.1.2.3.4", "$JS.ACK.S.c.1.2.3.4.5.6",
        "$JS.ACK.S.c.x.2.3.4.5", "$JS.ACK..c.1.2.3.4.5", "$JS.ACK.S..1.2.3.4.5", "$JS.ACK.S.c.1.2.3.4.",
        "$JS.ACK.S.c.-1.2.3.4.5", "$JS.ACK.S.c.1.2.3.4.99999999999999999999", "$JS.ACK..h.S.c.1.2.3.4.5",
        "$JS.ACK._.h.S.c.1.2.3.x.5", "$js.ACK.S.c.1.2.3.4.5", "$JS.FC.S.c.1"}) {
    INFO(subject);
    CHECK_FALSE(js::parse_ack_subject(subject));
  }
}
