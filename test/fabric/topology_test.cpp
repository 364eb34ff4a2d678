// SPDX-License-Identifier: Apache-2.0
#include "fabric/topology.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric::fabric;
namespace jetstream = compass_fabric::jetstream;
using namespace std::chrono_literals;

TEST_CASE("[000-46][000-47][000-48][000-49][000-51] the declared stream is the specification's", "[fabric]") {
  const auto stream = declared_stream(config{});
  CHECK(stream.name == "COMPASS_COMMS");
  CHECK(stream.subjects == std::vector<std::string>{"compass.*.comms.*"});
  CHECK(stream.retention == jetstream::retention_policy::limits);
  CHECK(stream.storage == jetstream::storage_type::file);
  CHECK(stream.discard == jetstream::discard_policy::old_messages);
  CHECK(stream.max_age == 24h);
  CHECK(stream.duplicate_window == 2min);
  CHECK(stream.max_messages == -1);
  CHECK(stream.max_bytes == -1);
}

TEST_CASE("[000-70] stream and consumer derive from one config", "[fabric]") {
  config settings;
  settings.max_deliver = 3;
  settings.ack_wait = 1s;
  settings.max_ack_pending = 7;
  settings.max_age = 1h;
  settings.max_messages = 10;
  const auto consumer = declared_consumer(settings, "compass.a.comms.topic_upserted");
  CHECK(consumer.max_deliver == 3);
  CHECK(consumer.ack_wait == 1s);
  CHECK(consumer.max_ack_pending == 7);
  const auto stream = declared_stream(settings);
  CHECK(stream.max_age == 1h);
  CHECK(stream.max_messages == 10);
}

TEST_CASE("[000-64][000-65][000-66][D17] the declared consumer is durable, explicit and readable", "[fabric]") {
  const auto consumer = declared_consumer(config{}, "compass.*.comms.topic_upserted");
  CHECK(consumer.name == durable_name("compass.*.comms.topic_upserted"));
  CHECK(consumer.durable);
  CHECK(consumer.filter_subject == "compass.*.comms.topic_upserted");
  CHECK(consumer.description.find("compass.*.comms.topic_upserted") != std::string::npos);
  CHECK(consumer.ack_policy == jetstream::ack_policy::explicit_ack);
  CHECK(consumer.deliver_policy == jetstream::deliver_policy::all);
  CHECK(consumer.replicas == 0);
}

TEST_CASE("[D9] automatic replicas are three in a cluster and one alone", "[fabric]") {
  CHECK(wanted_replicas(replica_count::automatic, true) == 3);
  CHECK(wanted_replicas(replica_count::automatic, false) == 1);
  CHECK(wanted_replicas(replica_count::one, true) == 1);
  CHECK(wanted_replicas(replica_count::three, false) == 3);
}

TEST_CASE("[D15] a mismatch names every field with what is there and what is declared", "[fabric]") {
  CHECK(describe({}) == "");
  CHECK(describe({{"max_age", "1", "2"}, {"max_deliver", "5", "unset"}}) ==
        "max_age is 2, declared 1; max_deliver is unset, declared 5");
}
