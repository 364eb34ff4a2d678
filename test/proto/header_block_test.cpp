// SPDX-License-Identifier: Apache-2.0
#include "proto/header_block.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace compass_fabric;
using namespace compass_fabric::proto;
using namespace std::string_view_literals;

namespace {

using field_list = std::vector<std::pair<std::string, std::string>>;

field_list read_all(std::string_view block) {
  field_list fields;
  auto lines = field_lines(block);
  while (const auto field = next_field(lines)) fields.emplace_back(field->name, field->value);
  return fields;
}

std::string write(const field_list& fields) {
  std::string out = "kept";
  append_header_block(out, fields);
  REQUIRE(out.starts_with("kept"));
  return out.substr(4);
}

}  // namespace

TEST_CASE("the status line gives status and description", "[header_block]") {
  struct {
    std::string_view block;
    int status;
    std::string_view description;
    bool malformed;
  } constexpr table[] = {
      {"NATS/1.0\r\n\r\n", 0, "", false},
      {"NATS/1.0 503\r\n\r\n", 503, "", false},
      {"NATS/1.0 503 No Responders\r\n\r\n", 503, "No Responders", false},
      {"NATS/1.0  404 \t No Messages \r\n\r\n", 404, "No Messages", false},
      {"NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 7\r\n\r\n", 100, "Idle Heartbeat", false},
      {"NATS/1.0 \r\n\r\n", 0, "", false},
      {"NATS/1.0 50\r\n\r\n", 0, "", true},
      {"NATS/1.0 5x3\r\n\r\n", 0, "", true},
      {"NATS/1.0 5034\r\n\r\n", 0, "", true},
      {"NATS/1.0503\r\n\r\n", 0, "", true},
      {"NATS/2.0 503\r\n\r\n", 0, "", true},
      {"NATS/1.0 503", 0, "", true},
      {"\r\n\r\n", 0, "", true},
      {"", 0, "", false},
  };
  for (const auto& row : table) {
    INFO(row.block);
    CHECK(status(row.block) == row.status);
    CHECK(description(row.block) == row.description);
    CHECK(malformed(row.block) == row.malformed);
  }
}

TEST_CASE("fields are read in order, blanks around a value removed", "[header_block]") {
  const auto block = "NATS/1.0\r\nA:1\r\nB: \t two words \r\nA:  2\r\nEmpty:\r\nC: x:y\r\n\r\n"sv;
  CHECK(read_all(block) == field_list{{"A", "1"}, {"B", "two words"}, {"A", "2"}, {"Empty", ""}, {"C", "x:y"}});
  CHECK_FALSE(malformed(block));
}

TEST_CASE("lookup is exact by default and case-blind on request, the first value wins", "[header_block]") {
  const auto block = "NATS/1.0\r\nx-trace: 1\r\nX-Trace: 2\r\nX-TRACE: 3\r\nX-Trace: 4\r\n\r\n"sv;
  CHECK(first(block, "X-Trace") == "2");
  CHECK(first(block, "X-TRACE") == "3");
  CHECK_FALSE(first(block, "X-trace"));
  CHECK(first_ignore_case(block, "X-tRaCe") == "1");
  CHECK_FALSE(first_ignore_case(block, "X-Trac"));
  CHECK_FALSE(first("", "X"));
}

TEST_CASE("a bad line is passed over and reported, the others stay readable", "[header_block]") {
  for (const auto bad : {"no colon"sv, ": empty name"sv, "A : blank before the colon"sv, " folded: line"sv,
                         "\tfolded"sv, "A: bare\nX: smuggled"sv, "A: bare\rcr"sv, "A: nul\0"sv, "A\x7f: del"sv}) {
    INFO(bad);
    const auto block = "NATS/1.0\r\nFirst: 1\r\n" + std::string(bad) + "\r\nLast: 2\r\n\r\n";
    CHECK(read_all(block) == field_list{{"First", "1"}, {"Last", "2"}});
    CHECK(malformed(block));
  }
}

TEST_CASE("a block cut anywhere is read without error and reported as malformed", "[header_block]") {
  const auto block = "NATS/1.0 503 Gone\r\nNats-Subject: a.b\r\nX: y\r\n\r\n"sv;
  for (std::size_t size = 1; size < block.size(); ++size) {
    INFO("cut at " << size);
    CHECK(malformed(block.substr(0, size)));
    CHECK(read_all(block.substr(0, size)).size() <= 2);
  }
  CHECK_FALSE(malformed(block));
  CHECK(malformed(std::string(block) + "tail"));
  CHECK(read_all(std::string(block) + "T: 1\r\n").size() == 2);
}

TEST_CASE("the size is computed exactly and the block reads back", "[header_block]") {
  const field_list fields{{"A", "1"}, {"A", ""}, {"b", "x:y z"}, {"Long", std::string(60000, 'v')}};
  const auto block = write(fields);
  CHECK(block.size() == encoded_size(fields));
  CHECK(block.starts_with("NATS/1.0\r\nA: 1\r\nA: \r\nb: x:y z\r\nLong: vvv"));
  CHECK(read_all(block) == fields);
  CHECK_FALSE(malformed(block));
  CHECK(write({}) == "NATS/1.0\r\n\r\n");
  CHECK(encoded_size({}) == 12);
}

TEST_CASE("a field that would change the protocol is refused with its reason", "[header_block]") {
  CHECK(header_fault("", "v") == "empty header name");
  for (const auto name : {"a b"sv, "a\tb"sv, "a:b"sv, "a\r\n"sv, "a\0"sv, " a"sv, "a\x7f"sv}) {
    CHECK(header_fault(name, "v") == "header name with a blank, control byte or colon");
  }
  for (const auto value : {"a\rb"sv, "a\nb"sv, "a\0b"sv, "\r\n"sv}) {
    CHECK(header_fault("n", value) == "value of header n with CR, LF or NUL");
  }
  CHECK(header_fault("Nats-Msg-Id", " any\tbytes \xff:").empty());
}

TEST_CASE("C005 odd but legal spacing in a header block is accepted", "[header_block]") {
  const auto block = "NATS/1.0\t 409   Leadership Change\t\r\nA:\t\t1\r\nB:2  \r\n\r\n"sv;
  CHECK(status(block) == 409);
  CHECK(description(block) == "Leadership Change");
  CHECK(read_all(block) == field_list{{"A", "1"}, {"B", "2"}});
  CHECK_FALSE(malformed(block));
}

TEST_CASE("C035 header bytes that are not UTF-8 pass unchanged", "[header_block]") {
  const field_list fields{{"x", "\xff\xfe\x80 \xc3"}, {"\xc3\xbc", "\xe6\xbc\xa2"}};
  CHECK(read_all(write(fields)) == fields);
  CHECK(first(write(fields), "x") == "\xff\xfe\x80 \xc3");
}
