// SPDX-License-Identifier: Apache-2.0
#include "proto/server_pool.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
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
  pool.connected();
  pool.lost(1s);               // a held, and counts from zero again
  pool.failed(errc::timeout);  // b: 2
  CHECK(pool.size() == 1);
  CHECK(host(pool) == "a");
  pool.failed(errc::timeout);  // a: 1
  CHECK(pool.size() == 1);
  pool.failed(errc::timeout);  // a: 2
  CHECK(pool.size() == 0);
  CHECK_FALSE(pool.next(0));
  CHECK(pool.pass_complete());
}

TEST_CASE("a server that accepts and drops at once uses up its permitted failures", "[server_pool]") {
  auto pool = make_pool("a,b", {.max_attempts = 2, .jitter = 0ms});
  for (int i = 0; i < 2; ++i) {
    pool.prefer("a:4222");
    pool.connected();
    pool.lost(999ms);
  }
  CHECK(pool.size() == 1);
  CHECK(host(pool) == "b");
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
  CHECK(pool.merge({"d:4222"}).empty());  // it returns and is no news
  CHECK(order(pool) == "abd");
}

TEST_CASE("the server in use stays although it is no longer named", "[server_pool]") {
  auto pool = make_pool("a", steady);
  pool.merge({"b:4222"});
  pool.failed(errc::connection_lost);
  REQUIRE(host(pool) == "b");
  pool.connected();
  pool.merge({"c:4222"});
  CHECK(order(pool) == "bca");  // a had its turn in this pass already
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

TEST_CASE("C019: announced servers that never worked cost one attempt each and never delay the user's",
          "[server_pool]") {
  auto pool = make_pool("a", steady);
  pool.connected();
  pool.merge({"x:1", "y:1", "z:1"});
  std::string tried;
  for (int loss = 0; loss < 5; ++loss) {
    pool.lost(5000ms);
    while (host(pool) != "a") {
      tried += host(pool);
      pool.failed(errc::timeout);
    }
    CHECK(delay(pool) == 0ms);
    pool.connected();
    tried += '|';
  }
  CHECK(tried == "x|y|z|||");
}

TEST_CASE("an announced server that worked is as good as the user's", "[server_pool]") {
  auto pool = make_pool("a", steady);
  pool.merge({"b:4222"});
  pool.failed(errc::timeout);
  REQUIRE(host(pool) == "b");
  pool.connected();
  pool.lost(5000ms);
  REQUIRE(host(pool) == "a");
  pool.failed(errc::timeout);
  CHECK(host(pool) == "b");
  pool.failed(errc::timeout);
  fail_pass(pool);
  pool.connected();
  CHECK(host(pool) == "a");
}

TEST_CASE("a server that is shutting down is tried last until it works again", "[server_pool]") {
  auto pool = make_pool("a,b,c", steady);
  pool.connected();
  pool.leaving();
  pool.lost(5000ms);
  CHECK(order(pool) == "bca");
  for (int pass = 0; pass < 3; ++pass) {
    pool.failed(errc::timeout);
    pool.failed(errc::timeout);
    REQUIRE(host(pool) == "a");
    if (pass == 2) break;
    pool.failed(errc::timeout);
  }
  pool.connected();
  pool.lost(5000ms);
  pool.failed(errc::timeout);
  pool.failed(errc::timeout);
  pool.failed(errc::timeout);
  CHECK(order(pool) == "bca");
}

TEST_CASE("announced addresses may be filtered", "[server_pool]") {
  auto pool = make_pool("a", steady);
  const auto accept = [](const std::string& address) { return address.starts_with("10."); };
  CHECK(pool.merge({"10.0.0.1:4222", "192.168.0.1:4222"}, accept) == texts{"10.0.0.1:4222"});
  CHECK(pool.size() == 2);
}

TEST_CASE("replacing the servers keeps the one in use until it is lost", "[server_pool]") {
  std::string fault;
  auto pool = make_pool("a,b", steady);
  pool.connected();
  pool.merge({"x:1"});
  pool.replace(*parse_server_list("c,d", fault), true);
  CHECK(pool.size() == 3);
  CHECK(host(pool) == "a");
  CHECK(pool.merge({"y:1"}) == texts{"y:1"});
  pool.lost(5000ms);
  CHECK(order(pool) == "cdy");

  pool.connected();
  pool.replace(*parse_server_list("e,user:pw@c", fault), true);
  CHECK(pool.next(0)->server.user == "user");
  pool.lost(5000ms);
  CHECK(order(pool) == "ec");

  fail_pass(pool);
  REQUIRE(delay(pool) == 100ms);
  pool.replace(*parse_server_list("f", fault), false);
  CHECK(order(pool) == "f");
  CHECK(delay(pool) == 0ms);
}

TEST_CASE("a server in use that was replaced leaves when it fails as well", "[server_pool]") {
  std::string fault;
  auto pool = make_pool("a", steady);
  pool.replace(*parse_server_list("b", fault), true);
  REQUIRE(host(pool) == "a");
  pool.failed(errc::timeout);
  CHECK(order(pool) == "b");
}

TEST_CASE("the server of the user's choice comes next, and a second time in a pass begins another pass",
          "[server_pool]") {
  auto pool = make_pool("a,b,c", steady);
  CHECK(pool.prefer("c:4222"));
  CHECK(order(pool) == "cab");
  CHECK_FALSE(pool.prefer("nobody:4222"));
  CHECK(host(pool) == "c");
  pool.failed(errc::timeout);
  CHECK(host(pool) == "a");
  CHECK(pool.prefer("c:4222"));
  CHECK(delay(pool) == 100ms);
  const auto choice = pool.next(0);
  CHECK(choice->begins_pass);
  CHECK(choice->passes == 1);
}

TEST_CASE("shuffling is a permutation that the seed decides", "[server_pool]") {
  std::string first_seen;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    auto pool = make_pool("a,b,c,d", steady);
    auto again = make_pool("a,b,c,d", steady);
    pool.shuffle(seed, seed % 2 == 0);
    again.shuffle(seed, seed % 2 == 0);
    auto sorted = order(pool);
    CHECK(order(again) == sorted);
    if (seed % 2 == 0) CHECK(sorted.front() == 'a');
    first_seen += sorted.front();
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == "abcd");
  }
  for (const char c : {'a', 'b', 'c', 'd'}) CHECK(first_seen.find(c) != std::string::npos);
}

TEST_CASE("the pool shows its members", "[server_pool]") {
  auto pool = make_pool("a,b", steady);
  pool.merge({"c:4222"});
  pool.failed(errc::timeout);
  CHECK(pool.at(0).url.host == "b");
  CHECK(pool.at(1).announced);
  CHECK(pool.at(2).attempts == 1);
}

TEST_CASE("pauses without end stay without end", "[server_pool]") {
  constexpr auto endless = std::chrono::milliseconds::max();
  auto pool = make_pool("a", {.initial_delay = endless, .max_delay = endless, .jitter = 100ms});
  fail_pass(pool);
  CHECK(delay(pool, 99) == endless);
  auto doubled = make_pool("a", {.initial_delay = endless / 2 + 1ms, .max_delay = endless, .jitter = 0ms});
  for (int i = 0; i < 3; ++i) fail_pass(doubled);
  CHECK(delay(doubled) == endless);
  auto spread = make_pool("a", {.initial_delay = 1ms, .max_delay = 1ms, .jitter = endless});
  fail_pass(spread);
  CHECK(delay(spread, 41) == 42ms);
}

TEST_CASE("a reconnect by wish is no failure, however often; moving away takes the turn only", "[server_pool]") {
  auto pool = make_pool("a", {.max_attempts = 2});
  for (int i = 0; i < 10; ++i) {
    pool.connected();
    pool.lost(1ms, server_pool::parting::wished);
    REQUIRE(pool.size() == 1);
    CHECK(delay(pool) == 0ms);
  }
  for (int i = 0; i < 10; ++i) {
    pool.connected();
    pool.leaving();
    pool.lost(1ms, server_pool::parting::moved);
    REQUIRE(pool.size() == 1);
    CHECK(delay(pool) > 0ms);  // a server that says it for ever is not hammered
  }
  for (int i = 0; i < 2; ++i) {
    pool.connected();
    pool.lost(1ms);
  }
  CHECK(pool.size() == 0);
}

TEST_CASE("an announcement of any length is taken up to its limit", "[server_pool]") {
  auto pool = make_pool("a,b");
  texts many;
  for (int i = 0; i < 100'000; ++i) many.push_back("10.1." + std::to_string(i / 250) + "." + std::to_string(i % 250));
  CHECK(pool.merge(many).size() == server_pool::most_announced);
  CHECK(pool.size() == server_pool::most_announced + 2);
  CHECK(pool.merge({"c"}).size() == 1);
  CHECK(pool.size() == 3);
}
