// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/subject.hpp>

#include <catch2/catch_test_macros.hpp>

#include <chrono>
#include <set>
#include <string>

using namespace compass_fabric::fabric;
using namespace std::chrono_literals;

TEST_CASE("[000-52][000-53][000-67][000-68] the defaults are the specification's", "[fabric]") {
  const config settings;
  CHECK(settings.max_deliver == 5);
  CHECK(settings.ack_wait == 30s);
  CHECK(settings.max_age == 24h);
  CHECK(settings.duplicate_window == 2min);
  CHECK(settings.replicas == replica_count::automatic);
  CHECK(settings.max_messages == -1);
  CHECK(settings.max_bytes == -1);
  CHECK(!check(settings));
}

TEST_CASE("[000-61] the durable is the full hash of the subject behind its prefix", "[fabric]") {
  const auto name = durable_name("compass.tenant-a.comms.message_posted");
  CHECK(name == "comms-f48b30590555bc3c1a67cfe133311032c5d8d7115e7d3b70fc89ae6156e25211");
  CHECK(name.size() == 70);
}

TEST_CASE("[000-62][000-15] two subjects never share a durable, also across underscores and the wildcard", "[fabric]") {
  std::set<std::string> names;
  std::size_t subjects = 0;
  for (const auto tenant : {"a", "a_b", "a_b_c", "b_c", "a-b", "a__b", "comms"}) {
    for (const auto kind : event_kind_names) {
      names.insert(durable_name(comms_subject(tenant, *parse_event_kind(kind)).str()));
      ++subjects;
    }
  }
  for (const auto kind : event_kind_names) {
    names.insert(durable_name(comms_wildcard_subject(*parse_event_kind(kind)).filter()));
    ++subjects;
  }
  CHECK(names.size() == subjects);
}

TEST_CASE("[C086] a time or count outside its range is refused by name", "[fabric]") {
  const auto refusal = [](auto change) {
    config settings;
    change(settings);
    const auto problem = check(settings);
    REQUIRE(problem);
    CHECK(problem->code == errc::invalid_config);
    return problem->text.substr(0, problem->text.find(':'));
  };
  CHECK(refusal([](config& c) { c.max_deliver = 0; }) == "max_deliver");
  CHECK(refusal([](config& c) { c.max_deliver = -1; }) == "max_deliver");
  CHECK(refusal([](config& c) { c.max_ack_pending = 0; }) == "max_ack_pending");
  CHECK(refusal([](config& c) { c.ack_wait = 0ms; }) == "ack_wait");
  CHECK(refusal([](config& c) { c.ack_wait = -1s; }) == "ack_wait");
  CHECK(refusal([](config& c) { c.ack_wait = std::chrono::milliseconds::max(); }) == "ack_wait");
  CHECK(refusal([](config& c) { c.duplicate_window = 0ms; }) == "duplicate_window");
  CHECK(refusal([](config& c) { c.max_age = 1min; }) == "max_age");
  CHECK(refusal([](config& c) { c.max_age = std::chrono::milliseconds::max(); }) == "max_age");
  CHECK(refusal([](config& c) { c.max_messages = 0; }) == "max_messages");
  CHECK(refusal([](config& c) { c.max_bytes = 0; }) == "max_bytes");
}
