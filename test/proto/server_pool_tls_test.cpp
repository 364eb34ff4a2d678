// SPDX-License-Identifier: Apache-2.0
#include "proto/server_pool.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric::proto;

namespace {

server_pool make_pool(std::string_view list) {
  std::string fault;
  auto urls = parse_server_list(list, fault);
  REQUIRE(urls);
  return {std::move(*urls), {}};
}

server_url next_after_failure(server_pool& pool) {
  pool.failed(compass_fabric::errc::connection_lost);
  return pool.next(0)->server;
}

}  // namespace

TEST_CASE("C019: an announced address is checked against the name of the server that announced it",
          "[server_pool][row9]") {
  auto pool = make_pool("tls://nats.example.com:4222");
  pool.merge({"10.0.0.7:4222", "[fd00::7]:4222", "other.example.com:4222"});
  const auto v4 = next_after_failure(pool);
  CHECK(v4.host == "10.0.0.7");
  CHECK(v4.tls_name == "nats.example.com");
  CHECK(next_after_failure(pool).tls_name == "nats.example.com");
  const auto named = next_after_failure(pool);
  CHECK(named.host == "other.example.com");
  CHECK(named.tls_name.empty());
}

TEST_CASE("C019: an announced address hands its name on", "[server_pool][row9]") {
  auto pool = make_pool("tls://nats.example.com:4222");
  pool.merge({"10.0.0.7:4222"});
  const auto first = next_after_failure(pool);
  REQUIRE(first.host == "10.0.0.7");
  pool.merge({"10.0.0.7:4222", "10.0.0.8:4222"});
  auto next = next_after_failure(pool);
  if (next.host != "10.0.0.8") next = next_after_failure(pool);
  CHECK(next.host == "10.0.0.8");
  CHECK(next.tls_name == "nats.example.com");
}

TEST_CASE("C019: an announced address is reached as the one that announced it, whatever it says",
          "[server_pool][row9]") {
  auto pool = make_pool("tls://u:p@nats.example.com:4222");
  pool.merge({"nats://evil.example.com:4223", "ws://worse.example.com:80", "nats://x:y@bad.example.com:1"});
  REQUIRE(pool.size() == 4);
  for (int i = 0; i < 3; ++i) {
    const auto next = next_after_failure(pool);
    CHECK(next.scheme == url_scheme::tls);
    CHECK(next.user == "u");
    CHECK(next.password == "p");
  }
}

TEST_CASE("addresses and names are told apart", "[server_url]") {
  for (const auto* address : {"127.0.0.1", "10.0.0.7", "::1", "fd00::7", "fe80::1%eth0"}) CHECK(is_address(address));
  for (const auto* name : {"a", "localhost", "7", "a.b", "1.2.3.com", "x7", "a."}) CHECK_FALSE(is_address(name));
}
