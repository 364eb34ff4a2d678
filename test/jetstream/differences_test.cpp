// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <compass_fabric/jetstream/config.hpp>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using namespace std::chrono_literals;

namespace {

/// As a server reports a stream created with defaults.
js::stream_config found_stream() {
  js::stream_config c;
  c.name = "S";
  c.subjects = {"a", "b"};
  c.retention = js::retention_policy::limits;
  c.storage = js::storage_type::file;
  c.discard = js::discard_policy::old_messages;
  c.max_messages = -1;
  c.max_age = 0s;
  c.replicas = 1;
  c.duplicate_window = 2min;
  c.metadata = {{"_nats.ver", "2.15.2"}, {"_nats.level", "5"}};
  return c;
}

js::consumer_config found_consumer() {
  js::consumer_config c;
  c.name = "c";
  c.ack_wait = 30s;
  c.max_deliver = -1;
  c.max_ack_pending = 1000;
  c.max_waiting = 512;
  c.replicas = 0;
  c.metadata = {{"_nats.ver", "2.15.2"}};
  return c;
}

js::stream_config wanted_stream() {
  js::stream_config c;
  c.name = "S";
  return c;
}

js::consumer_config wanted_consumer() {
  js::consumer_config c;
  c.name = "c";
  return c;
}

js::stream_source source(std::string name, std::string filter) {
  js::stream_source s;
  s.name = std::move(name);
  s.filter_subject = std::move(filter);
  return s;
}

}  // namespace

TEST_CASE("[C071] what is not set, defaults and the server's metadata make no difference", "[jetstream]") {
  CHECK(js::differences(wanted_stream(), found_stream()).empty());
  CHECK(js::differences(wanted_consumer(), found_consumer()).empty());
  auto stream = wanted_stream();
  stream.max_messages = 0;
  stream.max_bytes = -1;
  stream.replicas = 0;
  stream.duplicate_window = 0s;
  stream.deny_delete = false;
  stream.compression = js::store_compression::none;
  CHECK(js::differences(stream, found_stream()).empty());
  auto consumer = wanted_consumer();
  consumer.max_deliver = 0;
  consumer.max_ack_pending = 0;
  consumer.max_waiting = 0;
  consumer.ack_wait = 0s;
  consumer.max_batch = 0;
  consumer.headers_only = false;
  consumer.pause_until = js::timestamp(1s);
  CHECK(js::differences(consumer, found_consumer()).empty());
}

TEST_CASE("[C071] the order of subjects and sources makes no difference", "[jetstream]") {
  auto wanted = wanted_stream();
  wanted.subjects = {"b", "a"};
  wanted.sources = {source("one", "x"), source("two", "y")};
  auto found = found_stream();
  found.sources = {source("two", "y"), source("one", "x")};
  found.sources[0].unknown["consumer"] = "{}";
  CHECK(js::differences(wanted, found).empty());
  found.sources[1].filter_subject = "z";
  CHECK(js::differences(wanted, found).size() == 1);
  wanted.sources.clear();
  wanted.subjects = {"a", "a"};
  const auto twice = js::differences(wanted, found);
  REQUIRE(twice.size() == 1);
  CHECK(twice[0].field == "subjects");
  CHECK(twice[0].wanted == R"(["a","a"])");
  CHECK(twice[0].found == R"(["a","b"])");
}

TEST_CASE("every setting that is not as wanted is named with both values", "[jetstream]") {
  auto wanted = wanted_stream();
  wanted.max_age = 48h;
  wanted.retention = js::retention_policy::interest;
  wanted.metadata = {{"owner", "x"}};
  wanted.allow_direct = true;
  wanted.placement.emplace().cluster = "east";
  wanted.unknown["allow_atomic"] = "true";
  const auto all = js::differences(wanted, found_stream());
  REQUIRE(all.size() == 6);
  CHECK(all[0].field == "retention");
  CHECK(all[0].wanted == R"("interest")");
  CHECK(all[0].found == R"("limits")");
  CHECK(all[1].field == "max_age");
  CHECK(all[1].wanted == "172800000000000");
  CHECK(all[1].found == "0");
  CHECK(all[2].field == "placement");
  CHECK(all[2].found == "unset");
  CHECK(all[3].field == "allow_direct");
  CHECK(all[3].found == "unset");
  CHECK(all[4].field == "metadata");
  CHECK(all[5].field == "allow_atomic");
  CHECK(all[5].found == "unset");
  auto other = found_stream();
  other.unknown["allow_atomic"] = "false";
  wanted = wanted_stream();
  wanted.unknown["allow_atomic"] = "true";
  CHECK(js::differences(wanted, other).at(0).found == "false");
}

TEST_CASE("a backoff list is an order, and decides the ack wait", "[jetstream]") {
  auto wanted = wanted_consumer();
  wanted.backoff = {1s, 5s};
  wanted.ack_wait = 30s;
  auto found = found_consumer();
  found.backoff = {1s, 5s};
  found.ack_wait = 1s;
  CHECK(js::differences(wanted, found).empty());
  found.backoff = {5s, 1s};
  CHECK(js::differences(wanted, found).at(0).field == "backoff");
}

TEST_CASE("a consumer with the other kind of filter, or of life, is not as wanted", "[jetstream]") {
  auto wanted = wanted_consumer();
  wanted.filter_subject = "a";
  auto found = found_consumer();
  found.filter_subjects = {"a", "b"};
  auto all = js::differences(wanted, found);
  REQUIRE(all.size() == 2);
  CHECK(all[0].field == "filter_subject");
  CHECK(all[1].field == "filter_subjects");
  wanted = wanted_consumer();
  wanted.filter_subjects = {"a", "b"};
  found.filter_subject = "a";
  CHECK(js::differences(wanted, found).at(0).field == "filter_subject");
  wanted = wanted_consumer();
  wanted.durable = false;
  all = js::differences(wanted, found_consumer());
  REQUIRE(all.size() == 1);
  CHECK(all[0].field == "durable");
}
