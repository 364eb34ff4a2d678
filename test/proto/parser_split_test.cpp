// SPDX-License-Identifier: Apache-2.0
// However a stream is cut, the same frames come out.
#include "support/frame_recorder.hpp"

#include <catch2/catch_get_random_seed.hpp>
#include <catch2/catch_test_macros.hpp>

#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric::proto;
using compass_fabric::testing::frame_recorder;
using compass_fabric::testing::recorded_frame;

namespace {

/// A stream and what it means, built together.
struct stream {
  std::string wire;
  std::vector<recorded_frame> frames;

  void line(frame_kind kind, std::string_view bytes) {
    wire += bytes;
    frames.push_back({kind, 0, {}, {}, {}, {}, {}});
  }
  void info(std::string json) {
    wire += "INFO " + json + " \r\n";
    frames.push_back({frame_kind::info, 0, {}, {}, {}, {}, std::move(json)});
  }
  void error(std::string text) {
    wire += "-ERR " + text + "\r\n";
    frames.push_back({frame_kind::err, 0, {}, {}, {}, {}, std::move(text)});
  }
  void message(std::uint64_t sid, std::string reply, std::string header, std::string payload) {
    const std::string total = std::to_string(header.size() + payload.size());
    wire += (header.empty() ? "MSG a.b " : "HMSG a.b ") + std::to_string(sid) + ' ' + reply + ' ';
    wire += (header.empty() ? total : std::to_string(header.size()) + ' ' + total) + "\r\n";
    wire.append(header).append(payload) += "\r\n";
    frames.push_back({frame_kind::msg, sid, "a.b", std::move(reply), std::move(header), std::move(payload), {}});
  }
};

/// Text that would be read as frames by a parser one byte off.
std::string looks_like_protocol(std::size_t size) {
  constexpr std::string_view pattern = "\r\nMSG x 1 3\r\nabc\r\nPING\r\n-ERR 'x'\r\n";
  std::string text;
  while (text.size() < size) text += pattern;
  text.resize(size);
  return text;
}

stream every_kind() {
  stream s;
  s.info("{\"server_id\":\"N\"}");
  s.line(frame_kind::ok, "+OK\r\n");
  s.line(frame_kind::pong, "PONG\r\n");
  s.message(1, "", "", "hello");
  s.message(2, "r", "", "");
  s.line(frame_kind::ping, "ping\r\n");
  s.message(3, "", "NATS/1.0\r\nA: 1\r\n\r\n", "");
  s.message(4, "r.s", "NATS/1.0\r\n\r\n", looks_like_protocol(20));
  s.error("'Invalid Subject'");
  return s;
}

void check_two_pieces(const stream& s) {
  for (std::size_t cut = 0; cut <= s.wire.size(); ++cut) {
    INFO("cut at " << cut);
    frame_recorder r;
    r.feed(std::string_view(s.wire).substr(0, cut));
    r.feed(std::string_view(s.wire).substr(cut));
    REQUIRE(r.frames() == s.frames);
    REQUIRE(r.unconsumed() == 0);
  }
}

void check_random_pieces(const stream& s, std::size_t largest, std::mt19937& engine) {
  std::uniform_int_distribution<std::size_t> size(1, largest);
  frame_recorder r;
  for (std::string_view rest = s.wire; !rest.empty();) {
    const std::string_view piece = rest.substr(0, size(engine));
    r.feed(piece);
    rest.remove_prefix(piece.size());
  }
  REQUIRE(r.error() == parse_error::none);
  REQUIRE(r.frames() == s.frames);
  REQUIRE(r.unconsumed() == 0);
}

}  // namespace

TEST_CASE("a stream of every kind of frame may be cut at any one byte", "[parser]") { check_two_pieces(every_kind()); }

TEST_CASE("a stream of every kind of frame may be cut at any two bytes", "[parser]") {
  const stream s = every_kind();
  const std::string_view wire = s.wire;
  for (std::size_t first = 0; first <= wire.size(); ++first) {
    for (std::size_t second = first; second <= wire.size(); ++second) {
      frame_recorder r;
      r.feed(wire.substr(0, first));
      r.feed(wire.substr(first, second - first));
      r.feed(wire.substr(second));
      if (r.frames() != s.frames) FAIL("cut at " << first << " and " << second);
    }
  }
}

TEST_CASE("a stream may arrive byte by byte", "[parser]") {
  const stream s = every_kind();
  frame_recorder r;
  for (const char byte : s.wire) r.feed({&byte, 1});
  CHECK(r.frames() == s.frames);
}

TEST_CASE("C002 INFO may be cut at any byte and glued to what follows", "[parser]") {
  std::string urls;
  for (int i = 0; i < 60; ++i)
    urls += (i == 0 ? "\"" : ",\"") + std::string("node-") + std::to_string(i) + ".example.org:4222\"";
  const std::string json = "{\"connect_urls\":[" + urls + "]}";
  for (const bool verbose : {false, true}) {
    stream s;
    s.info(json);
    if (verbose) s.line(frame_kind::ok, "+OK\r\n");
    s.line(frame_kind::ping, "PING\r\n");
    s.line(frame_kind::pong, "PONG\r\n");
    check_two_pieces(s);
  }
}

TEST_CASE("C002 an INFO beyond the 4096 bytes that bind clients is accepted", "[parser]") {
  stream s;
  s.info("{\"x\":\"" + std::string(200 * 1024, 'u') + "\"}");
  s.line(frame_kind::ping, "PING\r\n");
  std::mt19937 engine(Catch::getSeed());
  INFO("seed " << Catch::getSeed());
  check_random_pieces(s, 70000, engine);
}

TEST_CASE("C003 payloads of critical sizes that look like protocol keep the stream aligned", "[parser]") {
  constexpr std::size_t sizes[] = {0,     1,     2,     4095,  4096,  4097,   32767,
                                   32768, 32769, 65535, 65536, 65537, 999999, 1048576};
  stream s;
  for (const std::size_t size : sizes) {
    s.message(size, "", "", looks_like_protocol(size));
    s.message(size, "r", "NATS/1.0\r\n" + looks_like_protocol(size % 70000) + "\r\n\r\n", looks_like_protocol(size));
    s.line(frame_kind::ping, "PING\r\n");
  }
  std::mt19937 engine(Catch::getSeed());
  INFO("seed " << Catch::getSeed());
  for (int round = 0; round < 3; ++round) check_random_pieces(s, 70000, engine);
}

TEST_CASE("C003 a long mixed stream in random pieces keeps every frame and their order", "[parser]") {
  std::mt19937 engine(Catch::getSeed());
  INFO("seed " << Catch::getSeed());
  stream s;
  for (int i = 0; i < 5000; ++i) {
    const auto pick = engine() % 8;
    if (pick == 0) s.line(frame_kind::ping, "PING\r\n");
    if (pick == 1) s.line(frame_kind::pong, "PONG\r\n");
    if (pick == 2) s.error("'text " + std::to_string(i) + "'");
    if (pick == 3) s.info("{\"i\":" + std::to_string(i) + "}");
    if (pick > 3)
      s.message(engine(), pick == 4 ? "reply" : "", pick == 5 ? "NATS/1.0\r\n\r\n" : "",
                looks_like_protocol(engine() % 200));
  }
  for (const std::size_t largest : {3U, 64U, 5000U}) check_random_pieces(s, largest, engine);
}
