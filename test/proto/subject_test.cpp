// SPDX-License-Identifier: Apache-2.0
#include "proto/subject.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

using namespace compass_fabric::proto;
using namespace std::string_view_literals;

namespace {

struct grammar_row {
  std::string_view text;
  bool publish;
  bool filter;
  bool token;
};

constexpr grammar_row rows[] = {
    {"foo", true, true, true},
    {"foo.bar.baz", true, true, false},
    {"$JS.API.INFO", true, true, false},
    {"", false, false, false},
    {".", false, false, false},
    {".a", false, false, false},
    {"a.", false, false, false},
    {"a..b", false, false, false},
    {"*", false, true, false},
    {">", false, true, false},
    {"foo.*", false, true, false},
    {"foo.*.bar", false, true, false},
    {"foo.>", false, true, false},
    {"foo.>.bar", false, false, false},
    {">.foo", false, false, false},
    {"a*b", true, true, false},
    {"foo>", true, true, false},
    {"foo.>x", true, true, false},
    {"foo.**", true, true, false},
    {"a b", false, false, false},
    {"a\tb", false, false, false},
    {"a\r\nPUB x 0", false, false, false},
    {"a\nb", false, false, false},
    {"a\0b"sv, false, false, false},
    {"a\x7f", false, false, false},
    {"a\x1f", false, false, false},
    {"gr\xc3\xbc\xc3\x9f.\xe6\xbc\xa2", true, true, false},
    {"\xff\xfe.\x80", true, true, false},
    {"a/b", true, true, true},
    {"a%d", true, true, true},
};

}  // namespace

TEST_CASE("a subject is valid exactly as the grammar says, and the fault text is empty exactly then", "[subject]") {
  for (const auto& row : rows) {
    INFO("text: " << row.text);
    CHECK(valid_publish_subject(row.text) == row.publish);
    CHECK(subject_fault(row.text).empty() == row.publish);
    CHECK(valid_filter(row.text) == row.filter);
    CHECK(filter_fault(row.text).empty() == row.filter);
    CHECK(valid_token(row.text) == row.token);
    CHECK(token_fault(row.text).empty() == row.token);
  }
}

TEST_CASE("every single byte is judged the same alone, first, last and in the middle of a token", "[subject]") {
  for (int value = 0; value < 256; ++value) {
    const char byte = static_cast<char>(value);
    const bool forbidden = value <= ' ' || value == 0x7f;
    INFO("byte " << value);
    CHECK(valid_publish_subject(std::string{'a', byte, 'b'}) == (!forbidden));
    CHECK(valid_publish_subject(std::string{byte, 'a'}) == (!forbidden && byte != '.'));
    CHECK(valid_publish_subject(std::string{'a', byte}) == (!forbidden && byte != '.'));
    CHECK(valid_publish_subject(std::string{byte}) == (!forbidden && byte != '.' && byte != '*' && byte != '>'));
    CHECK(valid_queue_name(std::string{'q', byte}) == !forbidden);
  }
}

TEST_CASE("a fault is found at every place of a subject of every length", "[subject]") {
  for (std::size_t size = 1; size <= 40; ++size) {
    const std::string sound(size, 's');
    REQUIRE(valid_publish_subject(sound));
    for (std::size_t at = 0; at < size; ++at) {
      INFO("size " << size << ", place " << at);
      auto text = sound;
      text[at] = '.';
      CHECK(valid_publish_subject(text) == (at != 0 && at != size - 1));
      CHECK_FALSE(valid_token(text));
      if (at + 1 < size) {
        text[at + 1] = '.';
        CHECK_FALSE(valid_publish_subject(text));
      }
      for (const char bad : {' ', '\r', '\n', '\0', '\x7f', '\x01'}) {
        text = sound;
        text[at] = bad;
        CHECK_FALSE(valid_publish_subject(text));
        CHECK_FALSE(valid_queue_name(text));
      }
      if (at > 0 && at + 1 < size) {
        text = sound;
        text[at - 1] = '.';
        text[at] = '*';
        CHECK(valid_publish_subject(text) == (at != 1));
        text[at + 1] = '.';
        CHECK_FALSE(valid_publish_subject(text));
      }
    }
  }
}

TEST_CASE("two names of the greatest size fit into one control line", "[subject]") {
  const std::string longest(max_subject_size, 'x');
  CHECK(valid_publish_subject(longest));
  CHECK(valid_filter(longest));
  CHECK(valid_queue_name(longest));
  CHECK_FALSE(valid_publish_subject(longest + "x"));
  CHECK_FALSE(valid_filter(longest + "x"));
  CHECK_FALSE(valid_queue_name(longest + "x"));
  CHECK(subject_fault(longest + "x") == "longer than 2000 bytes (2001 given)");
  CHECK(2 * max_subject_size + 3 + 2 * 20 < 4096);
}

TEST_CASE("a queue name may hold wildcards and dots but no blank", "[subject]") {
  CHECK(valid_queue_name("workers.*"));
  CHECK(valid_queue_name(">"));
  CHECK(valid_queue_name(".."));
  CHECK_FALSE(valid_queue_name(""));
  CHECK_FALSE(valid_queue_name("a b"));
  CHECK(queue_name_fault("a b") == "blank at byte 1");
  CHECK(queue_name_fault("ok").empty());
}

TEST_CASE("a fault text names the rule and the place", "[subject]") {
  CHECK(subject_fault("") == "empty");
  CHECK(subject_fault("foo bar") == "blank at byte 3");
  CHECK(subject_fault("a\rb") == "control byte 0x0d at byte 1");
  CHECK(subject_fault("a\0b"sv) == "control byte 0x00 at byte 1");
  CHECK(subject_fault("foo..bar") == "empty token at byte 4");
  CHECK(subject_fault("foo.") == "empty token at byte 4");
  CHECK(subject_fault("foo.*") == "wildcard '*' at byte 4");
  CHECK(subject_fault("foo.>") == "wildcard '>' at byte 4");
  CHECK(filter_fault("foo.>.bar") == "'>' before the last token, at byte 4");
}

TEST_CASE("a filter matches token by token", "[subject]") {
  struct {
    std::string_view filter, subject;
    bool match;
  } constexpr table[] = {
      {"foo", "foo", true},
      {"FOO", "foo", false},
      {"foo.*", "foo", false},
      {"foo.*", "foo.bar", true},
      {"foo.*", "foo.bar.baz", false},
      {"foo.>", "foo", false},
      {"foo.>", "foo.bar.baz", true},
      {">", "foo", true},
      {"foo.b>", "foo.bar", false},
      {"foo.*", "foo.>", true},
      {"*.*", "foo.bar", true},
      {"*", "foo.bar", false},
      {"foo.*.baz", "foo.bar.baz", true},
      {"foo.*.baz", "foo.baz", false},
      {"*.>", "foo", false},
      {"*.>", "foo.bar", true},
      {"foo*", "foobar", false},
      {"foo*", "foo*", true},
      {"foo.>x", "foo.>x", true},
      {"foo.>", "foo.*", true},
      {"foo", "foo.bar", false},
      {"foo.bar", "foo", false},
      {">", "a..b", false},
      {"a.*", "a.", false},
      {"", "", false},
      {">", "", false},
      {"", "a", false},
  };
  for (const auto& row : table) {
    INFO(row.filter << " against " << row.subject);
    CHECK(matches(row.filter, row.subject) == row.match);
  }
}

TEST_CASE("a filter covers another when nothing of it escapes", "[subject]") {
  CHECK(covers(">", "foo.>"));
  CHECK(covers("foo.>", "foo.*"));
  CHECK(covers("foo.>", "foo.*.>"));
  CHECK(covers("foo.*", "foo.bar"));
  CHECK(covers("foo.*", "foo.*"));
  CHECK(covers("*.>", "foo.bar.>"));
  CHECK_FALSE(covers("foo.*", "foo.>"));
  CHECK_FALSE(covers("foo.bar", "foo.*"));
  CHECK_FALSE(covers("foo.>", "foo"));
  CHECK_FALSE(covers("foo.*", "foo.bar.baz"));
  CHECK_FALSE(covers("*.>", ">"));
  CHECK_FALSE(covers("foo", "bar"));
}

TEST_CASE("two filters overlap when one subject reaches both, whichever is asked first", "[subject]") {
  struct {
    std::string_view left, right;
    bool overlap;
  } constexpr table[] = {
      {"foo.*", "*.bar", true},  {"foo.>", "*.bar.baz", true}, {">", "a", true},      {"foo.*", "foo.*.*", false},
      {"foo.>", "foo", false},   {"a.*.c", "*.b.*", true},     {"a.b", "a.c", false}, {"*", "*.*", false},
      {"foo.>", "bar.>", false}, {"a.>", "a.>", true},         {"a..b", ">", false},
  };
  for (const auto& row : table) {
    INFO(row.left << " and " << row.right);
    CHECK(overlaps(row.left, row.right) == row.overlap);
    CHECK(overlaps(row.right, row.left) == row.overlap);
  }
}

TEST_CASE("C073 a name becomes one token or is refused, with the offending byte named", "[subject]") {
  CHECK(token_fault("a.b") == "'.' at byte 1");
  CHECK(token_fault("a b") == "blank at byte 1");
  CHECK(token_fault("a*") == "'*' at byte 1");
  CHECK(token_fault(">") == "'>' at byte 0");
  CHECK(token_fault("") == "empty");
  for (const auto name : {"a/b", "a%d", "\xc3\xa4"}) {
    CHECK(valid_token(name));
    CHECK(matches(std::string("S.*"), std::string("S.") + name));
  }
  CHECK(valid_token(std::string(300, 'n')));
}

TEST_CASE("C035 subjects that are not UTF-8 are compared byte by byte", "[subject]") {
  const auto subject = "bad.\xff\xc3\x28"sv;
  CHECK(valid_publish_subject(subject));
  CHECK(matches("bad.*", subject));
  CHECK(matches(subject, subject));
  CHECK_FALSE(matches("bad.\xfe\xc3\x28", subject));
}
