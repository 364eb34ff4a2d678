// SPDX-License-Identifier: Apache-2.0
#include "proto/server_error.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using namespace std::string_view_literals;

TEST_CASE("every known text has its code and its meaning for the connection", "[server_error]") {
  using kind = server_error_kind;
  struct {
    std::string_view text;
    errc code;
    server_error_kind kind;
  } constexpr table[] = {
      {"Unknown Protocol Operation", errc::protocol_error, kind::closes},
      {"maximum control line exceeded", errc::protocol_error, kind::closes},
      {"Maximum Payload Violation", errc::max_payload_exceeded, kind::closes},
      {"Stale Connection", errc::stale_connection, kind::closes},
      {"maximum connections exceeded", errc::max_connections_exceeded, kind::closes},
      {"maximum account active connections exceeded", errc::max_connections_exceeded, kind::closes},
      {"Connection throttling is active. Please try again later.", errc::max_connections_exceeded, kind::closes},
      {"Authentication Timeout", errc::authentication_timeout, kind::closes},
      {"Authorization Violation", errc::authorization_violation, kind::auth},
      {"User Authentication Expired", errc::authentication_expired, kind::auth},
      {"User Authentication Revoked", errc::authentication_expired, kind::auth},
      {"Account Authentication Expired", errc::authentication_expired, kind::auth},
      {"Failed Account Registration", errc::server_error, kind::transient},
      {"invalid client protocol", errc::protocol_error, kind::closes},
      {"no responders requires headers support", errc::headers_not_supported, kind::closes},
      {"Secure Connection - TLS Required", errc::tls_required, kind::closes},
      {"attempted to connect to route port", errc::protocol_error, kind::closes},
      {"maximum subscriptions exceeded", errc::max_subscriptions_exceeded, kind::transient},
      {"Invalid Subject", errc::invalid_subject, kind::transient},
      {"Invalid Publish Subject", errc::invalid_subject, kind::transient},
      {"Permissions Violation", errc::permission_violation, kind::permission},
      {"Something New", errc::server_error, kind::transient},
      {"", errc::server_error, kind::transient},
  };
  for (const auto& row : table) {
    const auto error = classify_server_error("'" + std::string(row.text) + "'");
    INFO(row.text);
    CHECK(error.code == row.code);
    CHECK(error.kind == row.kind);
    CHECK(error.operation == refused_operation::none);
    CHECK(error.text == row.text);
  }
}

TEST_CASE("case, quotes, blanks and a detail behind the text do not matter", "[server_error]") {
  for (const auto text : {"'AUTHORIZATION violation'", "authorization violation", " 'Authorization Violation' ",
                          "'Authorization Violation", "'Authorization Violation for user x'"}) {
    CHECK(classify_server_error(text).code == errc::authorization_violation);
  }
  CHECK(classify_server_error("'Authorization Violatio'").code == errc::server_error);
}

TEST_CASE("a permission error names operation, subject, queue and sid", "[server_error]") {
  struct {
    std::string_view text;
    refused_operation operation;
    std::string_view subject, queue;
    std::optional<std::string_view> sid;
  } const table[] = {
      {R"('Permissions Violation for Publish to "a.b"')", refused_operation::publish, "a.b", "", {}},
      {R"('Permissions Violation for Publish with Reply of "_R_.x"')",
       refused_operation::publish_reply,
       "_R_.x",
       "",
       {}},
      {R"('Permissions Violation for Subscription to "a.>"')", refused_operation::subscription, "a.>", "", {}},
      {R"('permissions violation for subscription to "a" using queue "q"')",
       refused_operation::subscription,
       "a",
       "q",
       {}},
      {R"('Permissions Violation for Subscription to "a" (sid "17")')", refused_operation::subscription, "a", "", "17"},
      {R"('Permissions Violation for Subscription to "a" using queue "q" (sid "17")')", refused_operation::subscription,
       "a", "q", "17"},
      {R"('Permissions Violation for Subscription to "a.b.c", too many tokens')",
       refused_operation::subscription,
       "a.b.c",
       "",
       {}},
      {R"('Permissions Violation for Subscription to "(sid \"1\")using queue \"x\""')",
       refused_operation::subscription,
       R"((sid "1")using queue "x")",
       "",
       {}},
  };
  for (const auto& row : table) {
    const auto error = classify_server_error(row.text);
    INFO(row.text);
    CHECK(error.code == errc::permission_violation);
    CHECK(error.kind == server_error_kind::permission);
    CHECK(error.operation == row.operation);
    CHECK(error.subject == row.subject);
    CHECK(error.queue == row.queue);
    CHECK(error.sid == row.sid);
  }
}

TEST_CASE("the server's quoting is undone", "[server_error]") {
  const auto subject_in = [](std::string_view quoted) {
    return classify_server_error("'Permissions Violation for Publish to " + std::string(quoted) + "'").subject;
  };
  CHECK(subject_in(R"("a\"b\\c")") == R"(a"b\c)");
  CHECK(subject_in(R"("\a\b\f\n\r\t\v")") == "\a\b\f\n\r\t\v");
  CHECK(subject_in(R"("\x00\x1f\xff")") == "\x00\x1f\xff"sv);
  CHECK(subject_in(R"("\u00fc\u6f22\U0001f600\u0041")") ==
        "\xc3\xbc\xe6\xbc\xa2\xf0\x9f\x98\x80"
        "A");
  CHECK(subject_in(R"("\q\x1\xzz\u12\U00110000")") == R"(\q\x1\xzz\u12\U00110000)");
  CHECK(subject_in(R"("no end)") == "no end");
  CHECK(subject_in(R"("end\)") == R"(end\)");
  CHECK(subject_in("no quotes").empty());
}

TEST_CASE("C035 a text that is not UTF-8 is classified and kept byte by byte", "[server_error]") {
  const auto error = classify_server_error("'Permissions Violation for Publish to \"\xff\xc3\"'");
  CHECK(error.subject == "\xff\xc3");
  CHECK(error.kind == server_error_kind::permission);
  CHECK(classify_server_error("'\xff\xfe'").text == "\xff\xfe");
  CHECK(classify_server_error("'\0'"sv).text == "\0"sv);
}
