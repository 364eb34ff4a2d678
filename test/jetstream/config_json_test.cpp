// SPDX-License-Identifier: Apache-2.0
#include "jetstream/config_json.hpp"
#include "jetstream/replies.hpp"

#include <chrono>
#include <string>

#include <catch2/catch_test_macros.hpp>

namespace js = compass_fabric::jetstream;
using namespace std::chrono_literals;

namespace {

js::stream_config stream_of(const std::string& json) {
  return js::read_stream_info(R"({"config":)" + json + "}", "stream").config;
}

js::consumer_config consumer_of(const std::string& json) {
  return js::read_consumer_info(R"({"config":)" + json + "}", "consumer").config;
}

}  // namespace

TEST_CASE("only members that are set are sent", "[jetstream]") {
  js::stream_config stream;
  stream.name = "S";
  CHECK(js::to_json(stream) == R"({"name":"S"})");
  js::consumer_config consumer;
  consumer.name = "c";
  CHECK(js::to_json(consumer) == R"({"durable_name":"c","name":"c","ack_policy":"explicit"})");
  consumer.durable = false;
  consumer.ack_policy = js::ack_policy::none;
  CHECK(js::to_json(consumer) == R"({"name":"c","ack_policy":"none"})");
}

TEST_CASE("durations are nanoseconds, policies the server's texts, times RFC 3339", "[jetstream]") {
  js::stream_config stream;
  stream.name = "S";
  stream.max_age = 2s;
  stream.retention = js::retention_policy::work_queue;
  stream.discard = js::discard_policy::new_messages;
  stream.storage = js::storage_type::memory;
  CHECK(js::to_json(stream) ==
        R"({"name":"S","retention":"workqueue","storage":"memory","discard":"new","max_age":2000000000})");
  js::consumer_config consumer;
  consumer.name = "c";
  consumer.deliver_policy = js::deliver_policy::by_start_time;
  consumer.start_time = js::timestamp(1741064767s);
  consumer.backoff = {1s, 5s};
  CHECK(js::to_json(consumer) ==
        R"({"durable_name":"c","name":"c","deliver_policy":"by_start_time","opt_start_time":"2025-03-04T05:06:07Z",)"
        R"("ack_policy":"explicit","backoff":[1000000000,5000000000]})");
}

TEST_CASE("a configuration read from a server goes back without loss", "[jetstream]") {
  const std::string full =
      R"({"name":"S","description":"d","subjects":["a.>","b"],"retention":"interest","storage":"file","discard":"old",)"
      R"("discard_new_per_subject":false,"max_consumers":-1,"max_msgs":-1,"max_msgs_per_subject":5,"max_bytes":9007199254740993,)"
      R"("max_msg_size":-1,"max_age":0,"num_replicas":3,"no_ack":false,"duplicate_window":120000000000,)"
      R"("placement":{"cluster":"c","tags":["t"],"preferred":"n"},)"
      R"("sources":[{"name":"O","opt_start_seq":18446744073709551615,"filter_subject":"x","external":{"api":"$JS.h.API","deliver":"d"},"consumer":{"name":"z"}}],)"
      R"("compression":"s2","first_seq":7,"subject_transform":{"src":"a","dest":"b"},"republish":{"src":"a","dest":"b","headers_only":true},)"
      R"("allow_direct":true,"mirror_direct":false,"sealed":false,"deny_delete":true,"deny_purge":true,"allow_rollup_hdrs":false,)"
      R"("allow_msg_ttl":true,"consumer_limits":{"inactive_threshold":5,"max_ack_pending":6,"new":[1,{"a":null}]},)"
      R"("metadata":{"_nats.ver":"2.15.2","k":"v"},"allow_atomic":true,"future":{"a":[1,2.5,"x"]}})";
  CHECK(js::to_json(stream_of(full)) == full);
}

TEST_CASE("a value this library does not know is kept like an unknown member, until it is set", "[jetstream]") {
  auto config = stream_of(R"({"name":"S","retention":"forever"})");
  CHECK_FALSE(config.retention);
  CHECK(config.unknown.at("retention") == R"("forever")");
  CHECK(js::to_json(config) == R"({"name":"S","retention":"forever"})");
  config.retention = js::retention_policy::limits;
  CHECK(js::to_json(config) == R"({"name":"S","retention":"limits"})");
}

TEST_CASE("durability is told by the durable name alone", "[jetstream]") {
  const auto durable = consumer_of(R"({"durable_name":"c","ack_policy":"all"})");
  CHECK(durable.durable);
  CHECK(durable.name == "c");
  CHECK(durable.ack_policy == js::ack_policy::all);
  CHECK(durable.unknown.empty());
  const auto named = consumer_of(R"({"name":"e","inactive_threshold":5000000000})");
  CHECK_FALSE(named.durable);
  CHECK(named.name == "e");
  CHECK(named.inactive_threshold == 5s);
  for (const auto* odd : {R"({"name":"e","durable_name":""})", R"({"name":"e","durable_name":null})",
                          R"({"name":"e","durable_name":12345})"}) {
    CHECK_FALSE(consumer_of(odd).durable);
    CHECK(consumer_of(odd).name == "e");
  }
}

TEST_CASE("merging changes what was asked for and nothing else", "[jetstream]") {
  auto found = stream_of(
      R"({"name":"S","description":"old","max_msgs":5,"metadata":{"_nats.ver":"2","mine":"1"},"allow_atomic":true})");
  js::stream_config wanted;
  wanted.name = "S";
  wanted.max_messages = 9;
  wanted.metadata = {{"mine", "2"}};
  wanted.unknown["allow_batched"] = "true";
  const auto next = js::merged(wanted, found);
  CHECK(next.description == "old");
  CHECK(next.max_messages == 9);
  CHECK(next.metadata == std::map<std::string, std::string>{{"_nats.ver", "2"}, {"mine", "2"}});
  CHECK(next.unknown == js::unknown_members{{"allow_atomic", "true"}, {"allow_batched", "true"}});
}

TEST_CASE("merging replaces one kind of filter by the other and an ack wait by a backoff", "[jetstream]") {
  const auto found = consumer_of(R"({"durable_name":"c","filter_subject":"a","ack_wait":30000000000})");
  js::consumer_config wanted;
  wanted.name = "c";
  wanted.filter_subjects = {"a", "b"};
  wanted.backoff = {1s};
  const auto next = js::merged(wanted, found);
  CHECK(next.filter_subject.empty());
  CHECK(next.filter_subjects == std::vector<std::string>{"a", "b"});
  CHECK_FALSE(next.ack_wait);
  js::consumer_config back;
  back.name = "c";
  back.filter_subject = "z";
  const auto again = js::merged(back, next);
  CHECK(again.filter_subject == "z");
  CHECK(again.filter_subjects.empty());
}
