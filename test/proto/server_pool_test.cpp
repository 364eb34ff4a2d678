// SPDX-License-Identifier: Apache-2.0
#include "proto/server_pool.hpp"

#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using namespace std::chrono_literals;

namespace {

using texts = std::vector<std::string>;

server_pool make_pool(std::string_view list, pool_policy policy = {}) {
  std::string fault;
  auto urls = parse_server_list(list, fault);
  REQUIRE(urls);
  return {std::move(*urls), policy};
}

std::string host(const server_pool& pool) { return pool.next(0)->server.host; }
std::chrono::milliseconds delay(const server_pool& pool, std::uint32_t random = 0) { return pool.next(random)->delay; }

/// The hosts in the order in which the pool tries them while all fail.
std::string order(server_pool pool) {
  std::string hosts;
  for (std::size_t i = pool.size(); i > 0; --i) {
    hosts += host(pool);
    pool.failed(errc::connection_lost);
  }
  return hosts;
}

void fail_pass(server_pool& pool) {
  for (std::size_t i = pool.size(); i > 0; --i) pool.failed(errc::connection_lost);
}

constexpr pool_policy steady{.max_attempts = -1, .initial_delay = 100ms, .max_delay = 2000ms, .jitter = 0ms};

}  // namespace

TEST_CASE("servers are tried in the order given, each once, and round again", "[server_pool]") {
  auto pool = make_pool("a,b,c", steady);
  CHECK(pool.size() == 3);
  std::string hosts;
  for (int i = 0; i < 7; ++i) {
    hosts += host(pool);
    pool.failed(errc::connection_lost);
  }
  CHECK(hosts == "abcabca");
}

TEST_CASE("a server given twice is in the pool once", "[server_pool]") {
  CHECK(order(make_pool("a,a:4222,b,tls://a,a:1", steady)) == "aba");
  auto empty = server_pool({}, steady);
  CHECK_FALSE(empty.next(0));
  CHECK(empty.size() == 0);
  CHECK(empty.merge({"a"}).empty());
}

TEST_CASE("the first pass has no pause, each later one a single pause before its first server", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  CHECK_FALSE(pool.pass_complete());
  CHECK(delay(pool) == 0ms);
  pool.failed(errc::connection_lost);
  CHECK_FALSE(pool.pass_complete());
  CHECK(delay(pool) == 0ms);
  pool.failed(errc::connection_lost);
  CHECK(pool.pass_complete());
  CHECK(delay(pool) == 100ms);
  pool.failed(errc::connection_lost);
  CHECK(delay(pool) == 0ms);
}

TEST_CASE("the pause doubles with each pass up to its cap", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  std::vector<std::chrono::milliseconds> pauses;
  for (int i = 0; i < 8; ++i) {
    fail_pass(pool);
    pauses.push_back(delay(pool));
  }
  CHECK(pauses == std::vector<std::chrono::milliseconds>{100ms, 200ms, 400ms, 800ms, 1600ms, 2000ms, 2000ms, 2000ms});

  auto capped = make_pool("a", {.initial_delay = 500ms, .max_delay = 300ms, .jitter = 0ms});
  fail_pass(capped);
  CHECK(delay(capped) == 300ms);
}

TEST_CASE("the random part of a pause stays within its bound and reaches it", "[server_pool]") {
  auto pool = make_pool("a", {.initial_delay = 100ms, .max_delay = 100ms, .jitter = 50ms});
  CHECK(delay(pool, 50) == 0ms);  // no pause, so nothing to spread
  fail_pass(pool);
  CHECK(delay(pool, 0) == 100ms);
  CHECK(delay(pool, 50) == 150ms);
  CHECK(delay(pool, 51) == 100ms);
  for (std::uint32_t random = 0; random < 1000; ++random) {
    CHECK(delay(pool, random) >= 100ms);
    CHECK(delay(pool, random * 4294967U) <= 150ms);
  }
  CHECK(delay(pool, std::numeric_limits<std::uint32_t>::max()) <= 150ms);
}

TEST_CASE("a server leaves after its permitted number of failures in a row", "[server_pool]") {
  auto pool = make_pool("a,b", {.max_attempts = 2, .jitter = 0ms});
  pool.failed(errc::connection_lost);  // a: 1
  pool.failed(errc::connection_lost);  // b: 1
  pool.connected();                    // a counts from zero again
  pool.failed(errc::connection_lost);  // a: 1
  CHECK(pool.size() == 2);
  pool.failed(errc::timeout);  // b: 2
  CHECK(pool.size() == 1);
  CHECK(host(pool) == "a");
  pool.failed(errc::timeout);  // a: 2
  CHECK(pool.size() == 0);
  CHECK_FALSE(pool.next(0));
  CHECK(pool.pass_complete());
}

TEST_CASE("a server that leaves counts as tried in its pass", "[server_pool]") {
  auto pool = make_pool("a,b,c", steady);
  const auto refuse = [&] { pool.failed(errc::authorization_violation); };
  refuse();
  refuse();
  refuse();
  CHECK(delay(pool) == 100ms);
  refuse();  // a leaves first, so b is the next of the same pass
  CHECK(pool.size() == 2);
  CHECK(host(pool) == "b");
  pool.failed(errc::timeout);
  CHECK(delay(pool) == 0ms);
  CHECK(host(pool) == "c");
  refuse();  // c leaves last, so the pass is over
  CHECK(host(pool) == "b");
  CHECK(delay(pool) == 200ms);
}

TEST_CASE("the same authentication error twice in a row from one server is final", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  const auto fail_a = [&](errc reason) {
    REQUIRE(host(pool) == "a");
    pool.failed(reason);
    if (host(pool) == "b") pool.failed(errc::connection_lost);
  };
  fail_a(errc::authorization_violation);
  fail_a(errc::timeout);  // in between, so not in a row
  fail_a(errc::authorization_violation);
  fail_a(errc::authentication_expired);  // another one
  fail_a(errc::authorization_violation);
  REQUIRE(pool.size() == 2);
  pool.connected();  // the credentials were good for a while
  fail_a(errc::authorization_violation);
  REQUIRE(pool.size() == 2);
  fail_a(errc::authorization_violation);
  CHECK(order(pool) == "b");
}

TEST_CASE("the authentication rule counts for each server alone", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  pool.failed(errc::authentication_expired);
  pool.failed(errc::authentication_expired);
  CHECK(pool.size() == 2);
  pool.failed(errc::authentication_expired);
  pool.failed(errc::authentication_expired);
  CHECK(pool.size() == 0);
}

TEST_CASE("an error that is not about credentials is never final", "[server_pool]") {
  auto pool = make_pool("a", steady);
  for (int i = 0; i < 100; ++i) pool.failed(errc::authentication_timeout);
  CHECK(pool.size() == 1);
}

TEST_CASE("after a proven link is lost the next server is tried at once and the pauses start over", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  for (int i = 0; i < 3; ++i) fail_pass(pool);
  pool.failed(errc::connection_lost);
  REQUIRE(host(pool) == "b");
  pool.connected();
  pool.lost(1000ms);
  CHECK_FALSE(pool.pass_complete());
  CHECK(host(pool) == "a");
  CHECK(delay(pool) == 0ms);
  fail_pass(pool);
  CHECK(delay(pool) == 100ms);
}

TEST_CASE("links that hardly live keep backing off", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  std::vector<std::chrono::milliseconds> pauses;
  std::string hosts;
  for (int i = 0; i < 8; ++i) {
    hosts += host(pool);
    pauses.push_back(delay(pool));
    pool.connected();
    pool.lost(999ms);
  }
  CHECK(hosts == "abababab");
  CHECK(pauses == std::vector<std::chrono::milliseconds>{0ms, 0ms, 100ms, 0ms, 200ms, 0ms, 400ms, 0ms});
}

TEST_CASE("announced servers join once, behind the others, and are reported", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  CHECK(pool.merge({"a:4222", "c:4222", "[::1]:5000", "c:4222"}) == texts{"c:4222", "[::1]:5000"});
  CHECK(order(pool) == "abc::1");
  CHECK(pool.merge({"c:4222", "[::1]:5000"}).empty());
  CHECK(order(pool) == "abc::1");
}

TEST_CASE("announced servers that are no longer named leave, those of the user stay", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  pool.merge({"c:4222", "d:4222"});
  CHECK(pool.merge({"d:4222", "e:4222"}) == texts{"e:4222"});
  CHECK(order(pool) == "abde");
  CHECK(pool.merge({}).empty());
  CHECK(order(pool) == "abde");
  CHECK(pool.merge({"b:4222"}).empty());
  CHECK(order(pool) == "ab");
  CHECK(pool.merge({"d:4222"}) == texts{"d:4222"});
}

TEST_CASE("the server in use stays although it is no longer named", "[server_pool]") {
  auto pool = make_pool("a", steady);
  pool.merge({"b:4222"});
  pool.failed(errc::connection_lost);
  REQUIRE(host(pool) == "b");
  pool.connected();
  pool.merge({"c:4222"});
  CHECK(order(pool) == "bac");
}

TEST_CASE("an announced address that cannot be understood is skipped", "[server_pool]") {
  auto pool = make_pool("a", steady);
  CHECK(pool.merge({"", "b:0", "b b", "http://b", "c:4222"}) == texts{"c:4222"});
  CHECK(order(pool) == "ac");
}

TEST_CASE("announced servers take scheme and credentials from the server in use", "[server_pool]") {
  auto pool = make_pool("tls://alice:s3cret@a", steady);
  pool.merge({"b:4222"});
  pool.failed(errc::connection_lost);
  const auto joined = pool.next(0)->server;
  CHECK(joined.scheme == url_scheme::tls);
  CHECK(joined.user == "alice");
  CHECK(joined.password == "s3cret");

  auto by_token = make_pool("wss://t0ken@a", steady);
  CHECK(by_token.merge({"b"}) == texts{"b:443"});
  by_token.failed(errc::connection_lost);
  CHECK(by_token.next(0)->server.scheme == url_scheme::wss);
  CHECK(by_token.next(0)->server.token == "t0ken");
}

TEST_CASE("servers that leave in the middle of a pass end it in time", "[server_pool]") {
  auto pool = make_pool("a", steady);
  pool.merge({"b:4222", "c:4222", "d:4222"});
  pool.failed(errc::connection_lost);
  pool.failed(errc::connection_lost);
  REQUIRE(host(pool) == "c");
  pool.connected();
  pool.merge({"c:4222"});
  CHECK(pool.size() == 2);
  pool.lost(0ms);
  CHECK(host(pool) == "a");
  CHECK(delay(pool) == 100ms);
}
