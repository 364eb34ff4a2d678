// SPDX-License-Identifier: Apache-2.0
#include "proto/monitoring_json.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric;

TEST_CASE("a page keeps its text; members of another type are passed over", "[proto][row106]") {
  monitoring::varz varz;
  const std::string text = R"({"server_id":"A","connections":"three","cpu":1.5,"cluster":{"name":"c"},"jetstream":{}})";
  REQUIRE(proto::read_page(text, varz));
  CHECK(varz.server_id == "A");
  CHECK(varz.connections == 0);
  CHECK(varz.cpu == 1.5);
  CHECK(varz.cluster == "c");
  CHECK(varz.raw == text);
  for (const char* bad : {"", "[]", "{", "1"}) CHECK_FALSE(proto::read_page(bad, varz));
}

TEST_CASE("an unhealthy page says why", "[proto][row106]") {
  monitoring::healthz health;
  REQUIRE(proto::read_page(R"({"status":"unavailable","status_code":503,"error":"JetStream is not current"})", health));
  CHECK_FALSE(health.healthy());
  CHECK(health.status_code == 503);
  CHECK(health.error == "JetStream is not current");
}

TEST_CASE("connections that are no objects are passed over", "[proto][row106]") {
  monitoring::connz connz;
  REQUIRE(proto::read_page(R"({"total":2,"connections":[7,{"cid":5,"subscriptions_list":["a",1]}]})", connz));
  REQUIRE(connz.connections.size() == 1);
  CHECK(connz.connections[0].cid == 5);
  CHECK(connz.connections[0].subscriptions_list == std::vector<std::string>{"a"});
  REQUIRE(proto::read_page(R"({"connections":{}})", connz));
}

TEST_CASE("JetStream's page is read with its limits", "[proto][row106]") {
  monitoring::jsz jsz;
  REQUIRE(proto::read_page(
      R"({"disabled":true,"api":{"total":3,"errors":1},"config":{"max_memory":9,"sync_always":true}})", jsz));
  CHECK(jsz.disabled);
  CHECK(jsz.api_total == 3);
  CHECK(jsz.api_errors == 1);
  CHECK(jsz.max_memory == 9);
  CHECK(jsz.sync_always);
}

TEST_CASE("an answer over the system account names its server; an error is no answer", "[proto][row106]") {
  const auto answer = proto::read_system_answer(R"({"server":{"name":"n","id":"I"},"data":{"total": 1}})");
  REQUIRE(answer);
  CHECK(answer->server_id == "I");
  CHECK(answer->server_name == "n");
  CHECK(answer->data == R"({"total":1})");
  for (const char* bad : {"{", R"({"data":{}})", R"({"server":{}})", R"({"server":{},"error":{"code":400}})"})
    CHECK_FALSE(proto::read_system_answer(bad));
}
