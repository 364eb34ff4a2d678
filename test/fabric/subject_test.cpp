// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/subject.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <concepts>
#include <string>
#include <string_view>

using namespace compass_fabric::fabric;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

const std::string_view tenants[] = {"tenant-a",        "a_b", "comms", "runner", "routing", "dlq",
                                    "mieter-\xc3\xa4", "$x",  "\xff"};

template <class Subject>
concept publishable = std::convertible_to<const Subject&, std::string_view>;  // what every publish call takes
template <class Subject>
concept has_text = requires(const Subject& s) { s.str(); };

void refuses(auto build, errc code, const std::string& text) {
  CHECK_THROWS_MATCHES(build(), compass_fabric::system_error, MessageMatches(ContainsSubstring(text)));
  try {
    build();
  } catch (const compass_fabric::system_error& e) {
    CHECK(e.code() == code);
  }
}

}  // namespace

TEST_CASE("[000-01] a comms subject is built from tenant and kind, and parsing it is the identity", "[fabric]") {
  CHECK(comms_subject("tenant-a", event_kind::message_posted).str() == "compass.tenant-a.comms.message_posted");
  for (const auto tenant : tenants) {
    for (const auto name : event_kind_names) {
      const comms_subject subject(tenant, *parse_event_kind(name));
      CHECK(subject.str() == "compass." + std::string(tenant) + ".comms." + std::string(name));
      const auto parsed = comms_subject::parse(subject.str());
      REQUIRE(parsed);
      CHECK(parsed->tenant() == tenant);
      CHECK(to_string(parsed->kind()) == name);
      CHECK(parsed->str() == subject.str());
    }
  }
}

TEST_CASE("[000-01] what is not a comms subject does not parse as one", "[fabric]") {
  for (const auto text :
       {"", "compass", "compass..comms.message_posted", "compass.a.comms.", "compass.a.comms.other",
        "compass.a.b.comms.message_posted", "compass.*.comms.message_posted", "compass.a.comms.*",
        "compass.a.comms.message_posted.x", "xcompass.a.comms.message_posted", "compass.comms.message_posted",
        "message_posted", ".comms.message_posted", "compass.a b.comms.message_posted"}) {
    CAPTURE(text);
    CHECK(!comms_subject::parse(text));
  }
}

TEST_CASE("[000-02] the cross-tenant subject is a type of its own that nothing can publish to", "[fabric]") {
  CHECK(comms_wildcard_subject(event_kind::topic_upserted).filter() == "compass.*.comms.topic_upserted");
  CHECK(comms_wildcard_subject::parse("compass.*.comms.topic_upserted")->kind() == event_kind::topic_upserted);
  CHECK(!comms_wildcard_subject::parse("compass.a.comms.topic_upserted"));
  CHECK(!comms_wildcard_subject::parse("compass.*.comms.*"));
  STATIC_CHECK(!publishable<comms_wildcard_subject>);
  STATIC_CHECK(!has_text<comms_wildcard_subject>);
  STATIC_CHECK(!std::convertible_to<comms_wildcard_subject, comms_subject>);
  STATIC_CHECK(publishable<std::string_view>);
  STATIC_CHECK(has_text<comms_subject>);
}

TEST_CASE("[000-13] only the tenant is a wildcard: a wildcard kind is refused", "[fabric]") {
  for (const auto name : {"*", ">", "", "message_*", "Message_posted", "message_posted "})
    CHECK(!parse_event_kind(name));
  refuses([] { return comms_wildcard_subject(static_cast<event_kind>(7)); }, errc::unknown_kind, "kind: not one of");
  refuses([] { return comms_subject("a", static_cast<event_kind>(255)); }, errc::unknown_kind, "kind: not one of");
}

TEST_CASE("[000-19] a concrete subject refuses a wildcard tenant", "[fabric]") {
  refuses([] { return comms_subject("*", event_kind::message_posted); }, errc::invalid_token, "tenant: wildcard '*'");
  refuses([] { return comms_subject("a.b", event_kind::message_posted); }, errc::invalid_token, "tenant: '.'");
}

TEST_CASE("[000-03] a runner command subject names one runner, and the id comms is refused", "[fabric]") {
  CHECK(runner_command_subject("r1").str() == "compass.runner.r1.cmd");
  CHECK(runner_command_subject::parse("compass.runner.r1.cmd")->runner_id() == "r1");
  CHECK(!runner_command_subject::parse("compass.runner.comms.cmd"));
  CHECK(!runner_command_subject::parse("compass.runner.cmd"));
  CHECK(!runner_command_subject::parse("compass.runner..cmd"));
  CHECK(!runner_command_subject::parse("compass.runner.a.b.cmd"));
  refuses([] { return runner_command_subject("comms"); }, errc::reserved_token, "runner_id: 'comms' is reserved");
  refuses([] { return runner_command_subject("a b"); }, errc::invalid_token, "runner_id: white space");
}

TEST_CASE("[000-04] runner events have one subject and one queue group", "[fabric]") {
  STATIC_CHECK(runner_events_subject == "compass.runner.events");
  STATIC_CHECK(runner_events_queue == "compass-runner-events");
}

TEST_CASE("[000-05][000-09] a client subject lies outside the root of the comms stream", "[fabric]") {
  CHECK(client_subject("s-1").str() == "client.s-1");
  CHECK(client_subject::parse("client.s-1")->session_id() == "s-1");
  CHECK(!client_subject::parse("client."));
  CHECK(!client_subject::parse("compass.client.s-1"));
  refuses([] { return client_subject(">"); }, errc::invalid_token, "session_id: wildcard");
}

TEST_CASE("[000-06][000-27] a binding subject ends with its tenant, whatever the tenant", "[fabric]") {
  for (const auto tenant : tenants) {
    const routing_binding_subject subject(tenant);
    CHECK(subject.str() == "compass.routing.binding." + std::string(tenant));
    CHECK(routing_binding_subject::parse(subject.str())->tenant() == tenant);
    CHECK(!comms_subject::parse(subject.str()));
  }
  CHECK(!routing_binding_subject::parse("compass.routing.binding.*"));
  refuses([] { return routing_binding_subject("*"); }, errc::invalid_token, "tenant: wildcard");
}

TEST_CASE("[000-07] the binding wildcard is a type of its own that nothing can publish to", "[fabric]") {
  CHECK(routing_binding_wildcard_subject().filter() == "compass.routing.binding.*");
  CHECK(routing_binding_wildcard_subject::parse("compass.routing.binding.*"));
  CHECK(!routing_binding_wildcard_subject::parse("compass.routing.binding.a"));
  STATIC_CHECK(!publishable<routing_binding_wildcard_subject>);
  STATIC_CHECK(!has_text<routing_binding_wildcard_subject>);
}

TEST_CASE("[000-08][000-47] the dead-letter subject and the stream's subjects are constants", "[fabric]") {
  STATIC_CHECK(dlq_subject == "compass.dlq.comms");
  STATIC_CHECK(comms_stream_subjects == "compass.*.comms.*");
}
