// SPDX-License-Identifier: Apache-2.0
#include "proto/parser.hpp"

#include "support/frame_recorder.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric::proto;
using namespace std::string_literals;
using namespace std::string_view_literals;
using compass_fabric::testing::frame_recorder;
using compass_fabric::testing::recorded_frame;

namespace {

const std::string header_12 = "NATS/1.0\r\n\r\n";

recorded_frame bare(frame_kind kind) { return {kind, 0, {}, {}, {}, {}, {}}; }
recorded_frame text(frame_kind kind, std::string_view t) { return {kind, 0, {}, {}, {}, {}, std::string(t)}; }
recorded_frame message(std::string_view subject, std::string_view reply, std::string_view header,
                       std::string_view payload) {
  return {frame_kind::msg, 7, std::string(subject), std::string(reply), std::string(header), std::string(payload), {}};
}

struct case_of_frame {
  std::string wire;
  recorded_frame expected;
};

// Alone, cut in two at every byte and with a PING right behind: always the same frame and no byte lost.
void check_frames(const std::vector<case_of_frame>& table) {
  for (const auto& [wire, expected] : table) {
    INFO(wire);
    const frame_recorder whole(wire);
    CHECK(whole.frames() == std::vector{expected});
    CHECK(whole.unconsumed() == 0);
    CHECK(whole.needed() == 0);
    const std::string followed = wire + "PING\r\n";
    for (std::size_t cut = 0; cut <= followed.size(); ++cut) {
      INFO("cut at " << cut);
      frame_recorder pieces;
      pieces.feed(std::string_view(followed).substr(0, cut));
      pieces.feed(std::string_view(followed).substr(cut));
      REQUIRE(pieces.frames() == std::vector{expected, bare(frame_kind::ping)});
    }
  }
}

struct case_of_error {
  std::string wire;
  parse_error expected;
};

// The error does not depend on how the bytes arrive, and nothing behind it is read as a frame.
void check_errors(const std::vector<case_of_error>& table, parser_limits limits = {}) {
  for (const auto& [wire, expected] : table) {
    INFO(wire);
    for (std::size_t cut = 0; cut <= wire.size(); ++cut) {
      frame_recorder pieces(limits);
      pieces.feed(std::string_view(wire).substr(0, cut));
      pieces.feed(std::string_view(wire).substr(cut));
      pieces.feed("\r\nPING\r\n");
      REQUIRE(pieces.error() == expected);
      REQUIRE(pieces.frames().empty());
    }
  }
}

}  // namespace

TEST_CASE("each operation of the server becomes one frame", "[parser]") {
  check_frames({
      {"INFO {\"a\":1} \r\n", text(frame_kind::info, "{\"a\":1}")},
      {"INFO{}\r\n", text(frame_kind::info, "{}")},
      {"INFO\t{\"a b\": 1}\t \r\n", text(frame_kind::info, "{\"a b\": 1}")},
      {"PING\r\n", bare(frame_kind::ping)},
      {"PONG\r\n", bare(frame_kind::pong)},
      {"+OK\r\n", bare(frame_kind::ok)},
      {"-ERR 'Stale Connection'\r\n", text(frame_kind::err, "'Stale Connection'")},
      {"-ERR\r\n", text(frame_kind::err, "")},
      {"MSG a.b 7 3\r\nxyz\r\n", message("a.b", "", "", "xyz")},
      {"MSG a.b 7 _INBOX.r 3\r\nxyz\r\n", message("a.b", "_INBOX.r", "", "xyz")},
      {"MSG a 7 0\r\n\r\n", message("a", "", "", "")},
      {"MSG a 7 r 0\r\n\r\n", message("a", "r", "", "")},
      {"HMSG a 7 12 15\r\n" + header_12 + "xyz\r\n", message("a", "", header_12, "xyz")},
      {"HMSG a 7 r 12 15\r\n" + header_12 + "xyz\r\n", message("a", "r", header_12, "xyz")},
      {"HMSG a 7 0 3\r\nxyz\r\n", message("a", "", "", "xyz")},
      {"MSG a 7 003\r\nxyz\r\n", message("a", "", "", "xyz")},
  });
}

TEST_CASE("a line feed alone ends a control line", "[parser]") {
  check_frames({
      {"PING\n", bare(frame_kind::ping)},
      {"INFO {}\n", text(frame_kind::info, "{}")},
      {"MSG a 7 3\nxyz\r\n", message("a", "", "", "xyz")},
  });
}

TEST_CASE("C004 a header-only message has an empty payload and the next frame is intact", "[parser]") {
  const std::string status = "NATS/1.0 503\r\n\r\n";
  check_frames({
      {"HMSG a 7 12 12\r\n" + header_12 + "\r\n", message("a", "", header_12, "")},
      {"HMSG a 7 r 12 12\r\n" + header_12 + "\r\n", message("a", "r", header_12, "")},
      {"HMSG _INBOX.x 7 16 16\r\n" + status + "\r\n", message("_INBOX.x", "", status, "")},
  });
  const std::string only = "HMSG a 7 12 12\r\n" + header_12 + "\r\n";
  const std::string normal = "HMSG a 7 12 15\r\n" + header_12 + "xyz\r\n";
  const auto first = message("a", "", header_12, "");
  const auto second = message("a", "", header_12, "xyz");
  CHECK(frame_recorder(only + normal + only + only + normal).frames() ==
        std::vector{first, second, first, first, second});
}

TEST_CASE("C005 extra blanks, tabs and any case are accepted", "[parser]") {
  check_frames({
      // An empty reply leaves two blanks.
      {"MSG $JS.EVENT.ADVISORY.API 7  3\r\nxyz\r\n", message("$JS.EVENT.ADVISORY.API", "", "", "xyz")},
      {"HMSG a 7  12 15\r\n" + header_12 + "xyz\r\n", message("a", "", header_12, "xyz")},
      {"MSG   a  \t 7\t\tr\t3 \t \r\nxyz\r\n", message("a", "r", "", "xyz")},
      {"MSG\ta\t7\t3\r\nxyz\r\n", message("a", "", "", "xyz")},
      {"HMSG\t a 7\t \tr  12\t15\t\r\n" + header_12 + "xyz\r\n", message("a", "r", header_12, "xyz")},
      {"msg A 7 3\r\nxYz\r\n", message("A", "", "", "xYz")},
      {"hMsG A 7 12 15\r\n" + header_12 + "xYz\r\n", message("A", "", header_12, "xYz")},
      {"ping\r\n", bare(frame_kind::ping)},
      {"Pong \r\n", bare(frame_kind::pong)},
      {"+ok\r\n", bare(frame_kind::ok)},
      {"info {\"A\":1}\r\n", text(frame_kind::info, "{\"A\":1}")},
      {"-err 'X'\r\n", text(frame_kind::err, "'X'")},
      {"-ERR   'X'\r\n", text(frame_kind::err, "'X'")},
  });
}

TEST_CASE("C005 a number that cannot be right ends the stream", "[parser]") {
  const auto bad = parse_error::bad_number;
  check_errors({
      {"HMSG a 7 13 12\r\n" + header_12 + "\r\n", bad},
      {"HMSG a 7 r 1 0\r\n\r\n\r\n", bad},
      {"HMSG a 7 x 12\r\n", bad},
      {"HMSG a 7 -1 12\r\n", bad},
      {"HMSG a 7 12 -12\r\n", bad},
      {"HMSG a 7 4294967308 12\r\n" + header_12 + "\r\n", bad},
      {"MSG a 7 -1\r\n", bad},
      {"MSG a 7 +3\r\nxyz\r\n", bad},
      {"MSG a 7 3x\r\nxyz\r\n", bad},
      {"MSG a 7 0x3\r\nxyz\r\n", bad},
      {"MSG a 7 :\r\n", bad},  // the byte behind '9'
      {"MSG a 7 /\r\n", bad},  // the byte before '0'
      {"MSG a 7 \xb3\r\n", bad},
      {"MSG a 7 4294967296\r\n", bad},
      {"MSG a 7 4294967299\r\nxyz\r\n", bad},            // 3 in 32 bits
      {"MSG a 7 18446744073709551619\r\nxyz\r\n", bad},  // 3 in 64 bits
      {"MSG a 7 0000000003\r\nxyz\r\n", bad},            // ten digits, as the server refuses them
  });
}

TEST_CASE("C005 a sid this client cannot have given ends the stream", "[parser]") {
  for (const auto sid : {"x", "7x", "-7", "+7", "7.0", "\xff", "18446744073709551623", "00000000000000000007"}) {
    check_errors({{"MSG a " + std::string(sid) + " 3\r\nxyz\r\n", parse_error::bad_number},
                  {"HMSG a " + std::string(sid) + " r 0 3\r\nxyz\r\n", parse_error::bad_number}});
  }
  CHECK(frame_recorder("MSG a 9999999999999999999 0\r\n\r\n"sv).frames().at(0).sid == 9999999999999999999U);
  CHECK(frame_recorder("MSG a 0 0\r\n\r\n"sv).frames().at(0).sid == 0);
}

TEST_CASE("C005 missing and surplus fields end the stream", "[parser]") {
  for (const auto line : {"MSG ", "MSG \t ", "MSG a", "MSG a 7", "MSG a 7 r 3 3", "MSG a 7 r 3 3 3 3 3", "HMSG ",
                          "HMSG a", "HMSG a 7", "HMSG a 7 3", "HMSG a 7 r 0 3 3", "HMSG a 7 r 0 3 3 3"}) {
    check_errors({{line + "\r\nxyz\r\n"s, parse_error::bad_arguments}});
  }
}

TEST_CASE("C005 an unknown verb ends the stream", "[parser]") {
  for (const auto line :
       {"", "\r", " ", " PING", "PIN", "P", "MSG", "HMSG", "MSGa 7 3", "HMSGa 7 0 3", "xMSG a 7 3", "PUB a 3",
        "RMSG a 3", "+O", "-ER 'x'", "OK", "HTTP/1.1 400 Bad Request", "\x16\x03\x01", "NATS/1.0"}) {
    check_errors({{line + "\r\n"s, parse_error::unknown_verb}});
  }
}

TEST_CASE("a payload of another length than announced ends the stream", "[parser]") {
  for (const auto tail :
       {"xyPING\r\n", "xy\r\nPING\r\n", "xyz\nPING\r\n", "xyz\r\r\n", "xyz\rPING\r\n", "xyz\n\r", "xyzw\r\n"}) {
    check_errors(
        {{"MSG a 7 3\r\n"s + tail, parse_error::no_line_end}, {"HMSG a 7 1 3\r\n"s + tail, parse_error::no_line_end}});
  }
  check_errors({{"MSG a 7 0\r\nPING\r\n", parse_error::no_line_end}});
}

TEST_CASE("C035 bytes that are no UTF-8 pass unchanged", "[parser]") {
  check_frames({
      {"MSG \xff\xfe.\xc3 7 \x80\x01 3\r\n\xff\0\x80\r\n"s, message("\xff\xfe.\xc3", "\x80\x01", "", "\xff\0\x80"sv)},
      {"MSG \xc3\xbc.\xe6\xbc\xa2 7 0\r\n\r\n", message("\xc3\xbc.\xe6\xbc\xa2", "", "", "")},
      {"MSG a\0b 7 0\r\n\r\n"s, message("a\0b"sv, "", "", "")},
      {"-ERR '\xc3\x28\xff'\r\n", text(frame_kind::err, "'\xc3\x28\xff'")},
      {"INFO {\"x\":\"\xff\"}\r\n", text(frame_kind::info, "{\"x\":\"\xff\"}")},
  });
}

TEST_CASE("a control line may be as long as the limit and no longer", "[parser]") {
  const parser_limits limits{.line = 16, .message = 100};
  for (std::size_t cut = 0; cut <= 17; ++cut) {
    frame_recorder pieces(limits);  // 16 bytes before the line feed
    pieces.feed("-ERR 1234567890\r\n"sv.substr(0, cut));
    pieces.feed("-ERR 1234567890\r\n"sv.substr(cut));
    CHECK(pieces.frames() == std::vector{text(frame_kind::err, "1234567890")});
  }
  check_errors({{"-ERR 12345678901\r\n", parse_error::line_too_long}}, limits);
}

TEST_CASE("C005 a line without end is refused as soon as it passes the limit", "[parser]") {
  frame_recorder endless(parser_limits{.line = 1000, .message = 100});
  endless.feed("INFO {");
  while (endless.error() == parse_error::none && endless.unconsumed() <= 1000) endless.feed("x");
  CHECK(endless.error() == parse_error::line_too_long);
  CHECK(endless.unconsumed() == 1001);

  frame_recorder standard;
  standard.feed("INFO " + std::string(1024 * 1024 - 6, 'x'));
  CHECK(standard.error() == parse_error::none);
  standard.feed("xx");
  CHECK(standard.error() == parse_error::line_too_long);
}

TEST_CASE("C005 a message may be as large as the limit; a larger one is refused before its payload", "[parser]") {
  const parser_limits limits{.line = 100, .message = 5};
  CHECK(frame_recorder("MSG a 7 5\r\n12345\r\n"sv, limits).frames() == std::vector{message("a", "", "", "12345")});
  CHECK(frame_recorder("HMSG a 7 2 5\r\n12345\r\n"sv, limits).frames() == std::vector{message("a", "", "12", "345")});
  check_errors(
      {{"MSG a 7 6\r\n", parse_error::message_too_large}, {"HMSG a 7 0 6\r\n", parse_error::message_too_large}},
      limits);
  CHECK(frame_recorder("MSG a 7 134217728\r\n"sv).error() == parse_error::none);
  CHECK(frame_recorder("MSG a 7 134217729\r\n"sv).error() == parse_error::message_too_large);
  CHECK(frame_recorder("MSG a 7 999999999\r\n"sv).error() == parse_error::message_too_large);
}

TEST_CASE("a verb ends where it ends", "[parser]") {
  for (const std::string line : {"PINGX", "PINGPONG", "PONG1", "+OKAY", "-ERRor", "infox {}"}) {
    parser p;
    frame f;
    CHECK(p.parse(line + "\r\n", f).status == parse_status::error);
  }
  for (const std::string line : {"PING ", "ping\t", "PONG", "+OK", "-ERR 'x'", "INFO\t{}", "INFO{}"}) {
    parser p;
    frame f;
    CHECK(p.parse(line + "\r\n", f).status == parse_status::frame);
  }
}
