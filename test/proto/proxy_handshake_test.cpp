// SPDX-License-Identifier: Apache-2.0
#include "proto/proxy_handshake.hpp"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace compass_fabric::proto;
using namespace std::string_literals;

namespace {

proxy_address http(std::string user = {}, std::string password = {}) {
  return {proxy_scheme::http, "proxy", 3128, std::move(user), std::move(password)};
}
proxy_address socks(std::string user = {}, std::string password = {}) {
  return {proxy_scheme::socks5, "proxy", 1080, std::move(user), std::move(password)};
}
const proxy_target by_name{"nats.example.com", 4222};
const proxy_target by_v4{"127.0.0.1", 4222, "\x7f\0\0\x01"s};
const proxy_target by_v6{"::1", 4222, std::string(15, '\0') + "\x01"};

struct transcript {
  proxy_status status;
  std::string said;
  std::string rest;  // what was not asked for
  std::string fault;
};

/// Has a conversation in which `answers` come in pieces of at most `piece` bytes, never more than wanted.
transcript talk(const proxy_address& proxy, const proxy_target& target, std::string answers, std::size_t piece) {
  const auto t = start_proxy_handshake(proxy, target);
  transcript result{};
  while (t->status() == proxy_status::talking) {
    result.said += t->take_output().view();
    if (answers.empty()) break;
    REQUIRE(t->wanted() > 0);
    const auto size = std::min({piece, t->wanted(), answers.size()});
    t->feed(answers.substr(0, size));
    answers.erase(0, size);
  }
  result.status = t->status();
  result.rest = answers;
  result.fault = t->fault();
  return result;
}

const std::vector<std::size_t> pieces{1, 2, 3, 4, 5, 100'000};

}  // namespace

TEST_CASE("HTTP CONNECT names the server and stops at the head's end, however it is cut", "[proxy][row18]") {
  for (const auto* head : {"HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.0 200\r\nVia: x\r\nX: \r\r\n\r\n",
                           "HTTP/1.1 299 fine\r\n\r\n"}) {
    for (const auto piece : pieces) {
      const auto t = talk(http(), by_name, head + "INFO {}\r\n"s, piece);
      INFO(head << " in pieces of " << piece << ": " << t.fault);
      CHECK(t.status == proxy_status::done);
      CHECK(t.rest == "INFO {}\r\n");
      CHECK(t.said == "CONNECT nats.example.com:4222 HTTP/1.1\r\nHost: nats.example.com:4222\r\n\r\n");
    }
  }
  CHECK(talk(http(), by_v6, "", 1).said.starts_with("CONNECT [::1]:4222 HTTP/1.1\r\n"));
}

TEST_CASE("HTTP CONNECT logs in by Basic authentication", "[proxy][row18]") {
  // RFC 7617, 2.
  const auto t = talk(http("Aladdin", "open sesame"), by_name, "", 1);
  CHECK(t.said.find("\r\nProxy-Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==\r\n") != std::string::npos);
}

TEST_CASE("an HTTP proxy's refusal is told, and nonsense is not waited for", "[proxy][row18]") {
  for (const auto piece : pieces) {
    auto t = talk(http(), by_name, "HTTP/1.1 407 Proxy Authentication Required\r\nA: b\r\n\r\n", piece);
    CHECK(t.status == proxy_status::failed);
    CHECK(t.fault == "the proxy answered 407 Proxy Authentication Required");
    t = talk(http(), by_name, "HTTP/1.1 200\x01\r\n\r\n", piece);
    CHECK(t.status == proxy_status::done);
    t = talk(http(), by_name, "HTTP/1.1 50\x01\r\n\r\n", piece);
    CHECK(t.fault == "the proxy answered 50?");
    t = talk(http(), by_name, "SSH-2.0-x\r\n\r\n", piece);
    CHECK(t.status == proxy_status::failed);
    CHECK(t.fault == "the proxy does not speak HTTP");
    CHECK(talk(http(), by_name, "HTTP/1.1 200 a\r\nX: " + std::string(20'000, 'x'), piece).status ==
          proxy_status::failed);
    CHECK(talk(http(), by_name, "HTTP/1.1 20", piece).status == proxy_status::talking);
  }
}

TEST_CASE("SOCKS 5 reaches names and addresses, whatever the proxy's own is", "[proxy][row18]") {
  const auto answer_v4 = "\x05\0\0\x01\x7f\0\0\x01\x10\x7e"s;
  const auto answer_v6 = "\x05\0\0\x04"s + std::string(16, '\x01') + "\x10\x7e";
  const auto answer_name = "\x05\0\0\x03\x02"s + "ab" + "\x10\x7e";
  const auto answer_blank = "\x05\0\0\x03\0\x10\x7e"s;
  for (const auto& answer : {answer_v4, answer_v6, answer_name, answer_blank}) {
    for (const auto piece : pieces) {
      const auto t = talk(socks(), by_name, "\x05\0"s + answer + "INFO", piece);
      CHECK(t.status == proxy_status::done);
      CHECK(t.rest == "INFO");
      CHECK(t.said == "\x05\x01\0"s + "\x05\x01\0\x03\x10"s + "nats.example.com" + "\x10\x7e");
    }
  }
  CHECK(talk(socks(), by_v4, "\x05\0"s + answer_v4, 1).said == "\x05\x01\0\x05\x01\0\x01\x7f\0\0\x01\x10\x7e"s);
  CHECK(talk(socks(), by_v6, "\x05\0"s + answer_v4, 1).said ==
        "\x05\x01\0\x05\x01\0\x04"s + std::string(15, '\0') + "\x01\x10\x7e");
}

TEST_CASE("SOCKS 5 logs in when the proxy asks for it", "[proxy][row18]") {
  const auto reached = "\x05\0\0\x01\x7f\0\0\x01\x10\x7e"s;
  for (const auto piece : pieces) {
    auto t = talk(socks("ann", "secret"), by_v4, "\x05\x02\x01\0"s + reached, piece);
    CHECK(t.status == proxy_status::done);
    CHECK(t.said.starts_with("\x05\x02\0\x02\x01\x03"s + "ann\x06secret\x05\x01"));
    t = talk(socks("ann", "secret"), by_v4, "\x05\0"s + reached, piece);
    CHECK(t.status == proxy_status::done);
    CHECK(t.said.find("secret") == std::string::npos);
    t = talk(socks("ann", "wrong"), by_v4, "\x05\x02\x01\x01"s, piece);
    CHECK(t.status == proxy_status::failed);
    CHECK(t.fault == "the proxy refused user name or password");
  }
}

TEST_CASE("a SOCKS proxy's refusal is told, and nonsense is not waited for", "[proxy][row18]") {
  CHECK(talk(socks(), by_name, "\x05\xff", 1).fault == "the proxy demands a login");
  CHECK(talk(socks(), by_name, "\x05\x02", 1).fault == "the proxy demands a login");
  CHECK(talk(socks("a", "b"), by_name, "\x05\xff", 1).fault == "the proxy takes no user name and password");
  CHECK(talk(socks(), by_name, "\x04", 1).fault == "the proxy does not speak SOCKS 5");
  CHECK(talk(socks(), by_name, "HTTP/1.1 400", 9).fault == "the proxy does not speak SOCKS 5");
  const std::vector<std::string> texts{
      "general failure",    "not allowed by its rules", "network unreachable",   "host unreachable",
      "connection refused", "time to live expired",     "command not supported", "kind of address not supported",
      "unknown answer"};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto t = talk(socks(), by_name, "\x05\0\x05"s + static_cast<char>(i + 1) + "\0\x01\0\0\0\0\0\0"s, 2);
    CHECK(t.fault == "the proxy cannot reach nats.example.com: " + texts[i]);
  }
  CHECK(talk(socks(), by_name, "\x05\0\x05\0\0\x09\0"s, 1).fault ==
        "the proxy's answer has an unknown kind of address");
  CHECK(talk(socks(std::string(256, 'u'), ""), by_name, "", 1).status == proxy_status::failed);
  CHECK(talk(socks(), {std::string(256, 'h'), 1}, "", 1).status == proxy_status::failed);
}

TEST_CASE("proxy addresses are taken apart, and faults named without credentials", "[proxy][row18]") {
  std::string fault;
  const auto plain = parse_proxy_url("http://proxy.example.com:3128", fault);
  REQUIRE(plain);
  CHECK(plain->scheme == proxy_scheme::http);
  CHECK(plain->host == "proxy.example.com");
  CHECK(plain->port == 3128);
  CHECK(plain->user.empty());
  const auto login = parse_proxy_url("socks5://ann:s%40cret@[::1]:1080", fault);
  REQUIRE(login);
  CHECK(login->scheme == proxy_scheme::socks5);
  CHECK(login->host == "::1");
  CHECK(login->user == "ann");
  CHECK(login->password == "s@cret");
  for (const auto* bad : {"", "proxy:3128", "ftp://proxy:1", "http://proxy", "http://", "socks5://:1080",
                          "http://t0ken@proxy:1", "http://a:b@proxy", "http://proxy:1/path", "http://proxy:99999"}) {
    INFO(bad);
    fault.clear();
    CHECK_FALSE(parse_proxy_url(bad, fault));
    CHECK_FALSE(fault.empty());
    CHECK(fault.find("t0ken") == std::string::npos);
  }
}
