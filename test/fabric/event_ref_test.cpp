// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/event_ref.hpp>

#include <catch2/catch_test_macros.hpp>

#include <map>
#include <random>
#include <string>
#include <tuple>

using namespace compass_fabric::fabric;
using namespace std::string_literals;

namespace {

event_ref reference(std::string tenant, event_kind kind, std::string row_id) {
  return {std::move(tenant), kind, std::move(row_id), std::nullopt};
}

/// The text of the fault that decoding `json` must give.
std::string refusal(std::string_view json) {
  const auto decoded = decode_event_ref(json);
  REQUIRE(decoded.has_error());
  return decoded.error().text;
}

}  // namespace

TEST_CASE("[000-39][000-40] there are seven kinds, spelled as on the wire, each one legal token", "[fabric]") {
  STATIC_CHECK(event_kind_names.size() == 7);
  STATIC_CHECK(to_string(event_kind::account_changed) == "account_changed");
  STATIC_CHECK(to_string(event_kind::channel_group_changed) == "channel_group_changed");
  STATIC_CHECK(to_string(event_kind::channel_changed) == "channel_changed");
  STATIC_CHECK(to_string(event_kind::agent_workspace_changed) == "agent_workspace_changed");
  STATIC_CHECK(to_string(event_kind::message_posted) == "message_posted");
  STATIC_CHECK(to_string(event_kind::message_updated) == "message_updated");
  STATIC_CHECK(to_string(event_kind::topic_upserted) == "topic_upserted");
  STATIC_CHECK(to_string(static_cast<event_kind>(7)).empty());
  for (const auto name : event_kind_names) CHECK(to_string(*parse_event_kind(name)) == name);
}

TEST_CASE("[000-41] the payload is the reference as JSON and nothing else", "[fabric]") {
  auto ref = reference("tenant-a", event_kind::message_posted, "42");
  CHECK(encode(ref) == R"({"tenant":"tenant-a","kind":"message_posted","row_id":"42"})");
  ref.revision = "7";
  CHECK(encode(ref) == R"({"tenant":"tenant-a","kind":"message_posted","row_id":"42","revision":"7"})");
  CHECK(encode(reference("t", event_kind::topic_upserted, "a\"\\\n\x01\xc3\xa4/")) ==
        "{\"tenant\":\"t\",\"kind\":\"topic_upserted\",\"row_id\":\"a\\\"\\\\\\u000a\\u0001\xc3\xa4/\"}");
}

TEST_CASE("[000-41] what was encoded decodes to the same reference", "[fabric]") {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> ascii(1, 127), length(1, 30), kind(0, 6);
  for (int round = 0; round != 2000; ++round) {
    auto ref = reference("t\xc3\xa4", static_cast<event_kind>(kind(random)), "");
    for (int n = length(random); n != 0; --n) ref.row_id.push_back(static_cast<char>(ascii(random)));
    if (round % 3 == 0) ref.revision = std::to_string(round);
    CHECK(decode_event_ref(encode(ref)).value() == ref);
  }
}

TEST_CASE("[000-41] field order, white space, escapes and unknown fields do not matter to a decoder", "[fabric]") {
  const auto ref = reference("t", event_kind::channel_changed, "r");
  CHECK(decode_event_ref(R"( { "row_id":"r" , "kind":"channel_changed", "tenant":"t" } )").value() == ref);
  CHECK(decode_event_ref(R"({"tenant":"\u0074","kind":"channel_changed","row_\u0069d":"r"})").value() == ref);
  CHECK(decode_event_ref(R"({"v":{"tenant":[1,2]},"tenant":"t","kind":"channel_changed","row_id":"r","w":null})")
            .value() == ref);
}

TEST_CASE("[000-41] a payload that is no reference is refused with the field and the rule", "[fabric]") {
  CHECK(refusal("") == "payload: not valid JSON");
  CHECK(refusal("[]") == "payload: not a JSON object");
  CHECK(refusal("42") == "payload: not a JSON object");
  CHECK(refusal("{}") == "tenant: missing");
  CHECK(refusal(R"({"tenant":"t"})") == "kind: missing");
  CHECK(refusal(R"({"tenant":"t","kind":"channel_changed"})") == "row_id: missing");
  CHECK(refusal(R"({"tenant":1,"kind":"channel_changed","row_id":"r"})") == "tenant: must be a JSON string");
  CHECK(refusal(R"({"tenant":null,"kind":"channel_changed","row_id":"r"})") == "tenant: must be a JSON string");
  CHECK(refusal(R"({"tenant":"t","tenant":"t","kind":"channel_changed","row_id":"r"})") == "tenant: given twice");
  CHECK(refusal(R"({"tenant":"t","kind":"channel_changed","row_id":""})") == "row_id: must not be empty");
  CHECK(refusal(R"({"tenant":"t","kind":"channel_changed","row_id":"a\u0000b"})") ==
        "row_id: must not hold a NUL byte");
  CHECK(refusal(R"({"tenant":"t","kind":"channel_changed","row_id":"r","revision":7})") ==
        "revision: must be a JSON string");
  CHECK(refusal(R"({"tenant":"*","kind":"channel_changed","row_id":"r"})").starts_with("tenant: wildcard"));
  CHECK(refusal(R"({"tenant":"t","kind":"other","row_id":"r"})").starts_with("kind: not one of account_changed"));
  CHECK(refusal(R"({"tenant":"t","kind":"channel_changed","row_id":"r"}{})") == "payload: not one JSON object");
  CHECK(refusal(R"({"tenant":"t","kind":"channel_changed","row_id":"r"} x)") == "payload: not a JSON object");
}

TEST_CASE("[000-41] every truncation of a reference is refused", "[fabric]") {
  const auto json = encode(reference("t", event_kind::channel_changed, "r"));
  for (std::size_t size = 0; size != json.size(); ++size) CHECK(decode_event_ref(json.substr(0, size)).has_error());
  CHECK(decode_event_ref("{\"tenant\":\"\xff\",\"kind\":\"channel_changed\",\"row_id\":\"r\"}").has_error());
}

TEST_CASE("[000-20] a reference that cannot name one subject is refused before it is encoded", "[fabric]") {
  for (const auto& tenant : {"*"s, "a.b"s, ""s, "a b"s, "a\r\nPUB x"s, ">"s, "a\0"s}) {
    CAPTURE(tenant);
    const auto problem = check(reference(tenant, event_kind::message_posted, "1"));
    REQUIRE(problem);
    CHECK(problem->code == errc::invalid_token);
    CHECK(problem->text.starts_with("tenant: "));
    CHECK_THROWS_AS(encode(reference(tenant, event_kind::message_posted, "1")), compass_fabric::system_error);
  }
  CHECK(check(reference("t", static_cast<event_kind>(9), "1"))->code == errc::unknown_kind);
  CHECK(check(reference("t", event_kind::message_posted, ""))->text == "row_id: must not be empty");
  CHECK(check(reference("t\xff", event_kind::message_posted, "1"))->text == "tenant: must be UTF-8");
  CHECK(!check(reference("t", event_kind::message_posted, "1")));
}

TEST_CASE("[000-57] the message id is the hash of the length-prefixed fields", "[fabric]") {
  auto ref = reference("tenant-a", event_kind::message_posted, "42");
  CHECK(message_id(ref) == "b553d3c56f01d5a12aaa42b2fc52e13b105da67d29bfe0963cdb323c63da4d09");
  ref.revision = "7";
  CHECK(message_id(ref) == "7a65f1fb34398fe4b4f19e8f5b5d9b6b69aff905818f1567a1529bdaf7cbb3f0");
  CHECK(message_id(reference("mieter-\xc3\xa4", event_kind::topic_upserted, "a|b:c")) ==
        "9e42cbefa6f4de350e675e2a8448ae89c525b667c830056aad94bab8fc4ab751");
}

TEST_CASE("[000-59] different references never share a message id, which is always 64 digits", "[fabric]") {
  std::map<std::string, std::tuple<std::string, event_kind, std::string, std::string>> seen;
  const std::string pieces[] = {"a", "b", "ab", "a|1:b", "1:a", "|", "1:a|1:b", "a:b", "12:ab"};
  for (const auto& tenant : pieces) {
    for (const auto& row : pieces) {
      for (const auto kind : {event_kind::message_posted, event_kind::message_updated}) {
        for (const auto& revision : pieces) {
          auto ref = reference(tenant, kind, row);
          ref.revision = revision;
          const auto id = message_id(ref);
          CHECK(id.size() == 64);
          CHECK(seen.emplace(id, std::tuple(tenant, kind, row, revision)).second);
        }
        CHECK(seen.emplace(message_id(reference(tenant, kind, row)), std::tuple(tenant, kind, row, ""s)).second);
      }
    }
  }
}
