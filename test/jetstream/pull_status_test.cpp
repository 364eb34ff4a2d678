// SPDX-License-Identifier: Apache-2.0
#include "jetstream/pull_status.hpp"

#include <string>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using compass_fabric::message_view;
using kind = js::status_kind;

namespace {

std::optional<js::pull_status> read(std::string_view block, std::string_view reply = {}) {
  return js::read_status(message_view{"_INBOX.x.1", reply, block, {}});
}

kind kind_of(const std::string& line) { return read("NATS/1.0 " + line + "\r\n\r\n")->kind; }

}  // namespace

TEST_CASE("each status line of a pull has its meaning, in any case and with any suffix", "[jetstream]") {
  CHECK(kind_of("100 Idle Heartbeat") == kind::heartbeat);
  CHECK(kind_of("100 FlowControl Request") == kind::heartbeat);
  CHECK(kind_of("400 Bad Request - heartbeat value too large") == kind::refused);
  CHECK(kind_of("404 No Messages") == kind::no_messages);
  CHECK(kind_of("408 Request Timeout") == kind::expired);
  CHECK(kind_of("408 Requests Pending") == kind::expired);
  CHECK(kind_of("409 Message Size Exceeds MaxBytes") == kind::too_large);
  CHECK(kind_of("409 Batch Completed") == kind::completed);
  CHECK(kind_of("409 Exceeded MaxWaiting") == kind::too_many_pulls);
  CHECK(kind_of("409 Exceeded MaxRequestBatch of 10") == kind::refused);
  CHECK(kind_of("409 Exceeded MaxRequestExpires of 1s") == kind::refused);
  CHECK(kind_of("409 exceeded maxrequestmaxbytes of 5") == kind::refused);
  CHECK(kind_of("409 Leadership Change") == kind::leadership_change);
  CHECK(kind_of("409 LEADERSHIP CHANGE") == kind::leadership_change);
  CHECK(kind_of("409 Server Shutdown") == kind::server_shutdown);
  CHECK(kind_of("409 Consumer Deleted") == kind::consumer_deleted);
  CHECK(kind_of("409 Consumer is push based") == kind::push_consumer);
  CHECK(kind_of("409 Something New") == kind::other);
  CHECK(kind_of("409") == kind::other);
  CHECK(kind_of("412 Required Api Level") == kind::refused);
  CHECK(kind_of("423 Nats-Wrong-Pin-Id") == kind::other);
  CHECK(kind_of("499 New") == kind::other);
  CHECK(kind_of("503") == kind::no_responders);
}

TEST_CASE("the unused part of a pull is read where it is told", "[jetstream]") {
  const auto told =
      read("NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: 7\r\nNats-Pending-Bytes: 1024\r\n\r\n");
  REQUIRE(told);
  CHECK(told->code == 408);
  CHECK(told->text == "Request Timeout");
  CHECK(told->pending_messages == 7u);
  CHECK(told->pending_bytes == 1024u);
  const auto odd = read("NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: x\r\nNats-Pending-Bytes: 1k\r\n\r\n");
  CHECK_FALSE(odd->pending_messages);
  CHECK_FALSE(odd->pending_bytes);
}

TEST_CASE("a message is not a status, whatever its own headers say", "[jetstream]") {
  CHECK_FALSE(read(""));
  CHECK_FALSE(read("NATS/1.0\r\nA: b\r\n\r\n"));
  CHECK_FALSE(read("NATS/1.0 503\r\n\r\n", "$JS.ACK.S.c.1.2.3.4.5"));
  CHECK(read("NATS/1.0 100 FlowControl Request\r\n\r\n", "$JS.FC.S.c.1"));
}

TEST_CASE("every status that ends a pull early stands for an error", "[jetstream]") {
  using js::error_of;
  for (const auto k : {kind::heartbeat, kind::no_messages, kind::expired, kind::completed}) CHECK_FALSE(error_of(k));
  CHECK(error_of(kind::too_large) == js::errc::message_too_large);
  CHECK(error_of(kind::too_many_pulls) == js::errc::too_many_pulls);
  CHECK(error_of(kind::no_responders) == js::errc::unavailable);
  CHECK(error_of(kind::leadership_change) == js::errc::leadership_change);
  CHECK(error_of(kind::server_shutdown) == js::errc::server_shutdown);
  CHECK(error_of(kind::refused) == js::errc::pull_refused);
  CHECK(error_of(kind::consumer_deleted) == js::errc::consumer_deleted);
  CHECK(error_of(kind::push_consumer) == js::errc::push_consumer);
  CHECK(error_of(kind::other) == js::errc::refused);
}
