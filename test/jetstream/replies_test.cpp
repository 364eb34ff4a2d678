// SPDX-License-Identifier: Apache-2.0
#include "jetstream/replies.hpp"

#include <functional>
#include <string>
#include <vector>

#include <compass_fabric/jetstream/error.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace js = compass_fabric::jetstream;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string stream_reply =
    R"({"type":"io.nats.jetstream.api.v1.stream_info_response","config":{"name":"S","max_bytes":-1},)"
    R"("created":"2025-03-04T05:06:07.5Z","state":{"messages":3,"bytes":18446744073709551615,"first_seq":1,)"
    R"("first_ts":"0001-01-01T00:00:00Z","last_seq":9007199254740993,"consumer_count":2,"num_subjects":1},)"
    R"("domain":"hub","cluster":{"name":"C","leader":"n1","replicas":[{"name":"n2","current":true,"active":-1,"lag":4}]}})";

/// Every decoder, none of which may do anything but return or throw.
const std::vector<std::function<void(std::string_view)>> decoders = {
    [](std::string_view r) { js::read_stream_info(r, "w"); },
    [](std::string_view r) { js::read_consumer_info(r, "w"); },
    [](std::string_view r) { js::read_account_info(r, "w"); },
    [](std::string_view r) { js::read_stream_names(r, "w"); },
    [](std::string_view r) { js::read_stream_list(r, "w"); },
    [](std::string_view r) { js::read_consumer_list(r, "w"); },
    [](std::string_view r) { js::read_stored_message(r, "w"); },
    [](std::string_view r) { js::read_purged(r, "w"); },
    [](std::string_view r) { js::read_success(r, "w"); },
    [](std::string_view r) { js::read_publish_ack(r, "w"); },
};

std::string fault_of(const std::string& reply) {
  try {
    js::read_stream_info(reply, "stream \"S\"");
  } catch (const compass_fabric::system_error& e) {
    CHECK(e.code() == js::errc::invalid_reply);
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a stream's description is read with all 64 bits", "[jetstream]") {
  const auto info = js::read_stream_info(stream_reply, "w");
  CHECK(info.config.name == "S");
  CHECK(info.config.max_bytes == -1);
  CHECK(info.created);
  CHECK(info.state.bytes == 18446744073709551615u);
  CHECK(info.state.last_sequence == 9007199254740993u);
  CHECK_FALSE(info.state.first_time);
  CHECK_FALSE(info.state.last_time);
  CHECK(info.domain == "hub");
  REQUIRE(info.cluster);
  CHECK(info.cluster->leader == "n1");
  REQUIRE(info.cluster->replicas.size() == 1);
  CHECK(info.cluster->replicas[0].active.count() == -1);
  CHECK(info.cluster->replicas[0].lag == 4);
}

TEST_CASE("[C075] unknown members are ignored, missing and null ones leave the default", "[jetstream]") {
  const auto info = js::read_stream_info(
      R"({"config":{"name":"S","new_thing":{"a":[1]}},"state":null,"alternates":[{"name":"x"}],"cluster":null,"created":null})",
      "w");
  CHECK(info.config.name == "S");
  CHECK(info.state.messages == 0);
  CHECK_FALSE(info.cluster);
  CHECK_FALSE(info.created);
  CHECK(js::read_stream_info("{}", "w").config.name.empty());
}

TEST_CASE("[C075] a member of the wrong type is an error that names its path", "[jetstream]") {
  CHECK_THAT(fault_of(R"({"config":{"max_age":"1s"}})"),
             ContainsSubstring("stream \"S\".config.max_age: not an integer"));
  CHECK_THAT(fault_of(R"({"config":{"max_age":1.5}})"), ContainsSubstring("not an integer"));
  CHECK_THAT(fault_of(R"({"config":{"max_msgs":"30%"}})"), ContainsSubstring("config.max_msgs: not an integer"));
  CHECK_THAT(fault_of(R"({"config":{"num_replicas":9999999999}})"), ContainsSubstring("out of range"));
  CHECK_THAT(fault_of(R"({"config":{"subjects":"a"}})"), ContainsSubstring("not a list"));
  CHECK_THAT(fault_of(R"({"config":{"subjects":[1]}})"), ContainsSubstring("not a text"));
  CHECK_THAT(fault_of(R"({"config":{"sealed":1}})"), ContainsSubstring("not true or false"));
  CHECK_THAT(fault_of(R"({"config":{"metadata":{"a":1}}})"), ContainsSubstring("config.metadata.a: not a text"));
  CHECK_THAT(fault_of(R"({"config":[]})"), ContainsSubstring("config: not an object"));
  CHECK_THAT(fault_of(R"({"state":{"messages":-1}})"), ContainsSubstring("not an unsigned integer"));
  CHECK_THAT(fault_of(R"({"created":"yesterday"})"), ContainsSubstring("created: not a time"));
}

TEST_CASE("[C075] what is no JSON object at all is an invalid reply", "[jetstream]") {
  for (const std::string reply : {"", "x", "[]", "null", "1", "{", "{\"a\":}", "{} {}", "\xff", "+ACK"}) {
    INFO(reply);
    for (const auto& decode : decoders) {
      CHECK_THROWS_AS(decode(reply), compass_fabric::system_error);
    }
  }
}

TEST_CASE("[C075] a reply cut anywhere, or changed in any byte, is read or refused", "[jetstream]") {
  const auto attempt = [](std::string_view reply) {
    for (const auto& decode : decoders) {
      try {
        decode(reply);
      } catch (const compass_fabric::system_error& e) {
        CHECK(e.code());
      }
    }
  };
  for (std::size_t cut = 0; cut != stream_reply.size(); ++cut) attempt(std::string_view(stream_reply).substr(0, cut));
  for (std::size_t at = 0; at != stream_reply.size(); ++at) {
    for (const char c : {'"', '0', '{', '}', 'n', '\0'}) {
      auto changed = stream_reply;
      changed[at] = c;
      attempt(changed);
    }
  }
}

TEST_CASE("the server's error is thrown with number, status, text and place", "[jetstream]") {
  try {
    js::read_stream_info(R"({"type":"x","error":{"code":404,"err_code":10059,"description":"stream not found"}})",
                         "stream \"S\"");
    FAIL("accepted");
  } catch (const js::api_error& e) {
    CHECK(e.code() == js::errc::stream_not_found);
    CHECK(e.status() == 404);
    CHECK(e.err_code() == 10059);
    CHECK(e.description() == "stream not found");
    CHECK_THAT(e.what(), ContainsSubstring("stream \"S\": stream not found (10059)"));
  }
  CHECK_THROWS_AS(js::read_success(R"({"error":{"code":500}})", "w"), js::api_error);
  CHECK_NOTHROW(js::read_success(R"({"error":null,"success":true})", "w"));
}

TEST_CASE("an acknowledgement needs a stream, and its error comes before its sequence", "[jetstream]") {
  const auto ack = js::read_publish_ack(R"({"stream":"S","seq":7,"duplicate":true,"domain":"d"})", "s");
  CHECK(ack.stream == "S");
  CHECK(ack.sequence == 7);
  CHECK(ack.duplicate);
  CHECK(ack.domain == "d");
  CHECK_THROWS_AS(js::read_publish_ack(R"({"seq":7})", "s"), compass_fabric::system_error);
  CHECK_THROWS_AS(js::read_publish_ack(R"({"stream":"S","seq":0,"error":{"code":400,"err_code":10071}})", "s"),
                  js::api_error);
}

TEST_CASE("lists may be null and come in pages", "[jetstream]") {
  CHECK(js::read_stream_names(R"({"streams":null,"total":0})", "w").entries.empty());
  const auto names = js::read_stream_names(R"({"streams":["a","b"],"total":5,"offset":0,"limit":2})", "w");
  CHECK(names.entries == std::vector<std::string>{"a", "b"});
  CHECK(names.total == 5);
  CHECK(js::read_stream_list(R"({"streams":[{"config":{"name":"a"}}],"total":1})", "w").entries.at(0).config.name ==
        "a");
  CHECK(js::read_consumer_list(R"({"consumers":[{"name":"c"}]})", "w").entries.at(0).name == "c");
  CHECK(js::read_purged(R"({"success":true,"purged":9})", "w") == 9);
}

TEST_CASE("a stored message is decoded from base64", "[jetstream]") {
  const auto m = js::read_stored_message(
      R"({"message":{"subject":"a.b","seq":3,"hdrs":"TkFUUy8xLjANCkE6IDENCg0K","data":"aGk=","time":"2025-03-04T05:06:07Z"}})",
      "w");
  CHECK(m.subject == "a.b");
  CHECK(m.sequence == 3);
  CHECK(m.payload == "hi");
  CHECK(m.headers().get("A") == "1");
  CHECK(m.time);
  CHECK_THROWS_AS(js::read_stored_message(R"({"message":{"subject":"a","data":"!"}})", "w"),
                  compass_fabric::system_error);
  CHECK_THROWS_AS(js::read_stored_message(R"({"message":{}})", "w"), compass_fabric::system_error);
}

TEST_CASE("[C075] tiered limits and old servers' accounts are read", "[jetstream]") {
  const auto tiered = js::read_account_info(
      R"({"memory":1,"storage":2,"streams":3,"consumers":4,"limits":{"max_streams":0},)"
      R"("tiers":{"R3":{"memory":5,"limits":{"max_storage":-1}}},"api":{"level":5,"total":9,"errors":1,"inflight":0}})",
      "w");
  CHECK(tiered.tiers.at("R3").memory == 5);
  CHECK(tiered.tiers.at("R3").limits.max_storage == -1);
  CHECK(tiered.api.level == 5);
  const auto old = js::read_account_info(R"({"memory":1,"api":{"total":9,"errors":1}})", "w");
  CHECK(old.api.level == 0);
  CHECK(old.tiers.empty());
}
