// SPDX-License-Identifier: Apache-2.0
#include "proto/server_url.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace compass_fabric::proto;
using namespace std::string_view_literals;

namespace {

server_url parsed(std::string_view text, url_scheme default_scheme = url_scheme::nats) {
  std::string fault;
  const auto url = parse_server_url(text, fault, default_scheme);
  INFO(text << ": " << fault);
  REQUIRE(url);
  CHECK(fault.empty());
  return *url;
}

std::string fault_of(std::string_view text) {
  std::string fault;
  CHECK_FALSE(parse_server_url(text, fault));
  return fault;
}

}  // namespace

TEST_CASE("scheme, host and port are read and have defaults", "[server_url]") {
  struct {
    std::string_view text;
    url_scheme scheme;
    std::string_view host;
    int port;
  } constexpr table[] = {
      {"nats://example.org", url_scheme::nats, "example.org", 4222},
      {"nats://example.org/", url_scheme::nats, "example.org", 4222},
      {"NATS://h:1", url_scheme::nats, "h", 1},
      {"tls://h", url_scheme::tls, "h", 4222},
      {"ws://h", url_scheme::ws, "h", 80},
      {"wss://h", url_scheme::wss, "h", 443},
      {"wss://h:8443", url_scheme::wss, "h", 8443},
      {"h", url_scheme::nats, "h", 4222},
      {"10.0.0.1:65535", url_scheme::nats, "10.0.0.1", 65535},
      {" my_host-1.lan:4222 ", url_scheme::nats, "my_host-1.lan", 4222},
      {"[::1]", url_scheme::nats, "::1", 4222},
      {"tls://[fe80::1%eth0]:4333", url_scheme::tls, "fe80::1%eth0", 4333},
      {"[::ffff:10.0.0.1]:1", url_scheme::nats, "::ffff:10.0.0.1", 1},
  };
  for (const auto& row : table) {
    const auto url = parsed(row.text);
    INFO(row.text);
    CHECK(url.scheme == row.scheme);
    CHECK(url.host == row.host);
    CHECK(url.port == row.port);
    CHECK(url.user.empty());
    CHECK(url.token.empty());
    CHECK(url.target.empty());
  }
}

TEST_CASE("an address without scheme takes the one it is given", "[server_url]") {
  CHECK(parsed("h:1", url_scheme::tls).scheme == url_scheme::tls);
  CHECK(parsed("h", url_scheme::wss).port == 443);
  CHECK(parsed("nats://h", url_scheme::wss).scheme == url_scheme::nats);
}

TEST_CASE("credentials are percent-decoded; one word is a token", "[server_url]") {
  const auto pair = parsed("nats://al%40ce:p%3a%2F%20w:x@h:1");
  CHECK(pair.user == "al@ce");
  CHECK(pair.password == "p:/ w:x");
  CHECK(pair.token.empty());
  CHECK(parsed("u:@h").user == "u");
  CHECK(parsed("u:@h").password.empty());
  const auto token = parsed("s3%63ret@[::1]:1");
  CHECK(token.token == "s3cret");
  CHECK(token.user.empty());
  CHECK(parsed("u:a@b@h").password == "a@b");
}

TEST_CASE("a WebSocket address keeps path and query as written", "[server_url]") {
  CHECK(parsed("ws://h/nats?x=%20&y=/@").target == "/nats?x=%20&y=/@");
  CHECK(parsed("wss://u:p@h:1/").target == "/");
  CHECK(parsed("ws://h?x=1").target == "/?x=1");
}

TEST_CASE("a bad address is refused and its fault named", "[server_url]") {
  CHECK(fault_of("") == "empty address");
  CHECK(fault_of("  ") == "empty address");
  CHECK(fault_of("http://h") == "unknown scheme; nats, tls, ws and wss are known");
  CHECK(fault_of("://h") == "unknown scheme; nats, tls, ws and wss are known");
  CHECK(fault_of("nats://") == "no host");
  CHECK(fault_of("nats://u:p@") == "no host");
  CHECK(fault_of(":4222") == "no host");
  CHECK(fault_of("@h") == "empty user name before '@'");
  CHECK(fault_of(":p@h") == "empty user name before '@'");
  for (const auto text : {"%@h", "%4@h", "u%zz:p@h", "u:p%g0@h"}) {
    CHECK(fault_of(text) == "bad percent escape in the credentials");
  }
  for (const auto text : {"h:", "h:0", "h:65536", "h:-1", "h:+1", "h:12x", "h: 1", "[::1]:"}) {
    CHECK(fault_of(text) == "the port is no number from 1 to 65535");
  }
  CHECK(fault_of("::1") == "more than one ':'; an IPv6 address needs brackets");
  CHECK(fault_of("[::1") == "missing ']' after the IPv6 address");
  CHECK(fault_of("[::1]x") == "only a port may follow ']'");
  for (const auto text : {"[]", "[h]", "[::g]", "[::1%]", "[::1%/]", "[1.2.3.4]"}) {
    INFO(text);
    std::string fault;
    CHECK_FALSE(parse_server_url(text, fault));
  }
  CHECK(fault_of("[h]") == "no IPv6 address between the brackets");
  for (const auto text : {"a b", "h\r\n", "h\xc3\xbc", "h*"}) {
    CHECK(fault_of(text) == "the host holds a character that is no letter, digit, '-', '.' or '_'");
  }
  CHECK(fault_of("nats://h/path") == "only ws and wss addresses have a path");
  CHECK(fault_of("h?x") == "only ws and wss addresses have a path");
  CHECK(fault_of("ws://h/#f") == "a fragment ('#') has no meaning here");
  for (const auto text : {"ws://h/a b", "ws://h/a\r\nX: y", "ws://h/\xc3\xbc"}) {
    CHECK(fault_of(text) == "the path holds a blank, control byte or non-ASCII byte");
  }
}

TEST_CASE("a list is split at commas and its faulty entry counted", "[server_url]") {
  std::string fault;
  const auto list = parse_server_list("nats://a, b:1 ,tls://[::1]", fault);
  REQUIRE(list);
  REQUIRE(list->size() == 3);
  CHECK((*list)[1].host == "b");
  CHECK((*list)[2].scheme == url_scheme::tls);
  CHECK_FALSE(parse_server_list("a,b:0", fault));
  CHECK(fault == "address 2: the port is no number from 1 to 65535");
  CHECK_FALSE(parse_server_list("", fault));
  CHECK(fault == "address 1: empty address");
  CHECK_FALSE(parse_server_list("a,", fault));
  CHECK(fault == "address 2: empty address");
}

TEST_CASE("printing an address never shows credentials", "[server_url]") {
  CHECK(to_string(parsed("tls://alice:s3cret@h")) == "tls://h:4222");
  CHECK(to_string(parsed("tok3n@[::1]:1")) == "nats://[::1]:1");
  CHECK(to_string(parsed("wss://u:p@h/nats?token=abc")) == "wss://h:443/nats");
  CHECK(authority(parsed("ws://u:p@[::1]/x")) == "[::1]:80");
  for (const auto text : {"alice:s3cret@h:0", "s3cret@a b", "http://s3cret@h", "s3cret%@h", "x:s3cret@h/p"}) {
    CHECK(fault_of(text).find("s3cret") == std::string::npos);
  }
}
