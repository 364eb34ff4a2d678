// SPDX-License-Identifier: Apache-2.0
#include "proto/connect_writer.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

using namespace compass_fabric::proto;

TEST_CASE("CONNECT always sends its flags and leaves out empty texts", "[connect_writer]") {
  std::string out = "before";
  append_connect(out, connect_fields{});
  CHECK(out ==
        "before"
        R"(CONNECT {"verbose":false,"pedantic":false,"echo":true,"tls_required":false,"headers":true,)"
        R"("no_responders":true,"protocol":1,"lang":"c++-compass_fabric"})"
        "\r\n");
}

TEST_CASE("CONNECT sends every credential that is set, on one line whatever it holds", "[connect_writer]") {
  connect_fields fields;
  fields.verbose = fields.pedantic = fields.tls_required = true;
  fields.echo = fields.headers = fields.no_responders = false;
  fields.name = "my \"app\"\r\nPUB x 0";
  fields.version = "0.1.0";
  fields.user = "u";
  fields.pass = "p\xff";
  fields.auth_token = "t";
  fields.nkey = "UA";
  fields.sig = "s-_";
  fields.jwt = "e.y.J";
  std::string out;
  append_connect(out, fields);
  CHECK(out == R"(CONNECT {"verbose":true,"pedantic":true,"echo":false,"tls_required":true,"headers":false,)"
               R"("no_responders":false,"protocol":1,"lang":"c++-compass_fabric","version":"0.1.0",)"
               R"("name":"my \"app\"\r\nPUB x 0","user":"u","pass":"p)"
               "\xef\xbf\xbd"
               R"(","auth_token":"t","nkey":"UA","sig":"s-_","jwt":"e.y.J"})"
               "\r\n");
}
