// SPDX-License-Identifier: Apache-2.0
#include "proto/json_writer.hpp"

#include "proto/utf8.hpp"

#include <charconv>
#include <cmath>

namespace compass_fabric::proto {

namespace {

bool is_plain(char byte) noexcept {
  const auto value = static_cast<unsigned char>(byte);
  return value >= 0x20 && value < 0x7f && byte != '"' && byte != '\\';
}

void append_escape(std::string& out, char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  switch (byte) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  out += "\\u00";
  out += digits[value >> 4];
  out += digits[value & 15];
}

/// Appends the character `text` starts with and returns its size in `text`.
std::size_t append_character(std::string& out, std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) {
    append_escape(out, text.front());
    return 1;
  }
  const auto size = utf8_sequence_size(text);
  out += size == 0 ? utf8_replacement : text.substr(0, size);
  return size == 0 ? 1 : size;
}

template <class T>
void append_number(std::string& out, T number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out.append(digits, end);
}

}  // namespace

void json_writer::open(char bracket) {
  separate();
  out_ += bracket;
  follows_ = false;
}

void json_writer::close(char bracket) {
  out_ += bracket;
  follows_ = true;
}

void json_writer::separate() {
  if (follows_) out_ += ',';
  follows_ = true;
}

void json_writer::key(std::string_view name) {
  separate();
  quote(name);
  out_ += ':';
  follows_ = false;
}

void json_writer::value(std::string_view text) {
  separate();
  quote(text);
}

void json_writer::value(bool flag) { raw(flag ? "true" : "false"); }

void json_writer::null() { raw("null"); }

void json_writer::raw(std::string_view json) {
  separate();
  out_ += json;
}

void json_writer::value(double number) {
  if (!std::isfinite(number)) return null();
  separate();
  append_number(out_, number);
}

void json_writer::signed_number(std::int64_t number) {
  separate();
  append_number(out_, number);
}

void json_writer::unsigned_number(std::uint64_t number) {
  separate();
  append_number(out_, number);
}

void json_writer::quote(std::string_view text) {
  out_ += '"';
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && is_plain(text[plain])) ++plain;
    out_ += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_character(out_, text));
  }
  out_ += '"';
}

}  // namespace compass_fabric::proto
