// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/cluster.hpp>

#include "testing/json_value.hpp"

#include <catch2/catch_test_macros.hpp>

using namespace compass_fabric::testing;

TEST_CASE("a cluster has one meta leader and chooses another when that is killed", "[support][cluster]") {
  cluster servers;
  const auto first = servers.wait_leader();
  servers.node(first).kill();
  const auto second = servers.wait_leader(2);
  CHECK(second != first);
  servers.node(first).restart();
  CHECK_NOTHROW(servers.wait_leader(3));
}

TEST_CASE("the nodes of a cluster know each other", "[support][cluster]") {
  cluster servers;
  for (std::size_t i = 0; i < cluster::size; ++i) {
    CHECK(json_size(servers.node(i).monitor("/routez"), "/routes").value_or(0) >= 2);
    CHECK(json_string(servers.node(i).monitor("/varz"), "/cluster/name") == "test");
  }
}
