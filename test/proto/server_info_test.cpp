// SPDX-License-Identifier: Apache-2.0
#include "proto/server_info.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using namespace std::string_view_literals;

TEST_CASE("every field of INFO is read", "[server_info]") {
  const auto info = parse_server_info(
      R"({"server_id":"NID","server_name":"n1","version":"2.12.0-beta","proto":1,"git_commit":"abc","go":"go1.24",)"
      R"("host":"0.0.0.0","port":4222,"headers":true,"auth_required":true,"tls_required":true,"tls_verify":true,)"
      R"("tls_available":true,"max_payload":1048576,"jetstream":true,"client_id":18446744073709551615,)"
      R"("client_ip":"::1","nonce":"PXoWU7zWAMt75FY","cluster":"c","cluster_dynamic":true,"domain":"hub",)"
      R"("connect_urls":["10.0.0.1:4222","[::1]:4223"],"ws_connect_urls":["w:80"],"ldm":true,"xkey":"XK",)"
      R"("api_lvl":5,"connect_info":true,"remote_account":"$G","acc_is_sys":true} )");
  REQUIRE(info);
  server_info expected;
  expected.server_id = "NID";
  expected.server_name = "n1";
  expected.version = "2.12.0-beta";
  expected.proto = 1;
  expected.git_commit = "abc";
  expected.go = "go1.24";
  expected.host = "0.0.0.0";
  expected.port = 4222;
  expected.headers = expected.auth_required = expected.tls_required = expected.tls_verify = true;
  expected.tls_available = expected.jetstream = expected.cluster_dynamic = expected.lame_duck = true;
  expected.connect_info = expected.is_system_account = true;
  expected.max_payload = 1048576;
  expected.client_id = 18446744073709551615u;
  expected.client_ip = "::1";
  expected.nonce = "PXoWU7zWAMt75FY";
  expected.cluster = "c";
  expected.domain = "hub";
  expected.connect_urls = {"10.0.0.1:4222", "[::1]:4223"};
  expected.ws_connect_urls = {"w:80"};
  expected.xkey = "XK";
  expected.api_level = 5;
  expected.remote_account = "$G";
  CHECK(*info == expected);
}

TEST_CASE("missing, null and wrongly typed fields keep their defaults, unknown ones are ignored", "[server_info]") {
  CHECK(parse_server_info("{}") == server_info{});
  CHECK(parse_server_info(R"({"server_id":null,"headers":null,"port":null,"connect_urls":null,"client_id":null})") ==
        server_info{});
  CHECK(parse_server_info(R"({"server_id":7,"headers":"yes","port":"4222","max_payload":1.5,"connect_urls":"a",)"
                          R"("client_id":-1,"ldm":1,"route":{"deep":[1,{"x":[]}]},"compression":"s2"})") ==
        server_info{});
  const auto info = parse_server_info(R"({"connect_urls":["a:1",2,null,{},"b:2"],"port":-1})");
  REQUIRE(info);
  CHECK(info->connect_urls == std::vector<std::string>{"a:1", "b:2"});
  CHECK(info->port == -1);
}

TEST_CASE("what is not one JSON object is refused", "[server_info]") {
  for (const auto json :
       {""sv, " "sv, "[]"sv, "1"sv, "\"x\""sv, "null"sv, "{"sv, "{}x"sv, R"({"a":})"sv, R"({"a" 1})"sv,
        R"({"port":1e999})"sv, R"({"port":99999999999999999999999})"sv, "{\"a\":\"\n\"}"sv, "\0"sv}) {
    INFO(json);
    CHECK_FALSE(parse_server_info(json));
  }
}

TEST_CASE("escapes are undone and bytes that are not UTF-8 are replaced", "[server_info]") {
  CHECK(parse_server_info(R"({"server_name":"a\"\u00fc\n"})")->server_name == "a\"\xc3\xbc\n");
  const auto info = parse_server_info("{\"server_name\":\"a\xff\xc3\",\"port\":7}");
  REQUIRE(info);
  CHECK(info->server_name == "a\xef\xbf\xbd\xef\xbf\xbd");
  CHECK(info->port == 7);
}

TEST_CASE("an INFO of three megabytes is read", "[server_info]") {
  std::string json = R"({"connect_urls":[)";
  while (json.size() < 3 * 1024 * 1024) json += R"("server-with-a-long-name.example.org:4222",)";
  json += R"("last:1"],"port":5})";
  const auto info = parse_server_info(json);
  REQUIRE(info);
  CHECK(info->connect_urls.back() == "last:1");
  CHECK(info->connect_urls.size() > 70000);
  CHECK(info->port == 5);
}

TEST_CASE("deep nesting is refused without exhausting the stack", "[server_info]") {
  CHECK_FALSE(parse_server_info("{\"a\":" + std::string(1000000, '[')));
  CHECK_FALSE(parse_server_info("{\"a\":" + std::string(100000, '[') + std::string(100000, ']') + "}"));
}

TEST_CASE("versions compare by number", "[server_info][row56]") {
  compass_fabric::server_info info;
  info.version = "2.14.3-RC.2";
  CHECK(info.version_at_least(2));
  CHECK(info.version_at_least(2, 14));
  CHECK(info.version_at_least(2, 14, 3));
  CHECK(info.version_at_least(1, 99, 99));
  CHECK_FALSE(info.version_at_least(2, 14, 4));
  CHECK_FALSE(info.version_at_least(2, 15));
  CHECK_FALSE(info.version_at_least(3));
  for (const char* const text : {"", "2", "2.1", "two.1.0", "2.1.x", "2..1", "-2.1.0"}) {
    info.version = text;
    CHECK_FALSE(info.version_at_least(0));
  }
}
