// SPDX-License-Identifier: Apache-2.0
#include "proto/header_block.hpp"

#include <cstring>

#include "proto/ascii.hpp"
#include "proto/byte_class.hpp"

#include <algorithm>

namespace compass_fabric::proto {

namespace {

constexpr std::string_view version = "NATS/1.0";
constexpr std::string_view line_end = "\r\n";
constexpr std::string_view separator = ": ";
constexpr std::string_view blanks = " \t";
constexpr auto not_found = std::string_view::npos;

struct line {
  std::string_view text;
  bool terminated = false;
};

/// Only CR LF ends a line: the server cuts there too, so a lone LF must not start a field of its own.
line take_line(std::string_view& rest) noexcept {
  const auto end = rest.find(line_end);
  const line taken{rest.substr(0, end), end != not_found};
  rest.remove_prefix(taken.terminated ? end + line_end.size() : rest.size());
  return taken;
}

std::optional<header_field> parse_field(std::string_view text) noexcept {
  const auto colon = text.find(':');
  if (colon == not_found) return std::nullopt;
  const header_field field{text.substr(0, colon), trim_blanks(text.substr(colon + 1))};
  if (!valid_header_name(field.name) || !valid_header_value(field.value)) return std::nullopt;
  return field;
}

struct version_line {
  int status = 0;
  std::string_view description;
  bool well_formed = false;
};

version_line parse_version_line(std::string_view block) noexcept {
  const auto first_line = take_line(block);
  version_line result;
  if (!first_line.terminated || !first_line.text.starts_with(version)) return result;
  const auto tail = first_line.text.substr(version.size());
  const auto text = trim_blanks(tail);
  result.well_formed = tail.empty() || blanks.find(tail.front()) != not_found;
  if (!result.well_formed || text.empty()) return result;
  const bool three_digits = text.size() >= 3 && std::all_of(text.begin(), text.begin() + 3, is_digit);
  result.well_formed = three_digits && (text.size() == 3 || blanks.find(text[3]) != not_found);
  if (!result.well_formed) return result;
  result.status = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
  result.description = trim_blanks(text.substr(3));
  return result;
}

template <class Same>
std::optional<std::string_view> find_first(std::string_view block, std::string_view name, Same same) noexcept {
  auto lines = field_lines(block);
  while (const auto field = next_field(lines)) {
    if (same(field->name, name)) return field->value;
  }
  return std::nullopt;
}

char lower(char byte) noexcept { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + ('a' - 'A')) : byte; }

}  // namespace

int status(std::string_view block) noexcept { return parse_version_line(block).status; }

std::string_view description(std::string_view block) noexcept { return parse_version_line(block).description; }

std::string_view field_lines(std::string_view block) noexcept {
  take_line(block);
  return block;
}

std::optional<header_field> next_field(std::string_view& lines) noexcept {
  while (!lines.empty()) {
    const auto current = take_line(lines);
    if (current.text.empty()) {
      lines = {};
    } else if (const auto field = parse_field(current.text)) {
      return field;
    }
  }
  return std::nullopt;
}

std::optional<std::string_view> first(std::string_view block, std::string_view name) noexcept {
  return find_first(block, name, [](std::string_view left, std::string_view right) { return left == right; });
}

std::optional<std::string_view> first_ignore_case(std::string_view block, std::string_view name) noexcept {
  return find_first(block, name, equal_ignore_case);
}

bool malformed(std::string_view block) noexcept {
  if (block.empty()) return false;
  if (!parse_version_line(block).well_formed) return true;
  auto lines = field_lines(block);
  while (!lines.empty()) {
    const auto current = take_line(lines);
    if (!current.terminated) return true;
    if (current.text.empty()) return !lines.empty();
    if (!parse_field(current.text)) return true;
  }
  return true;
}

bool equal_ignore_case(std::string_view left, std::string_view right) noexcept {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

std::string_view trim_blanks(std::string_view text) noexcept {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == not_found) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool valid_header_name(std::string_view name) noexcept {
  return !name.empty() && std::none_of(name.begin(), name.end(),
                                       [](char byte) { return byte == ':' || class_of(byte) == forbidden_byte; });
}

bool valid_header_value(std::string_view value) noexcept {
  return value.find_first_of(std::string_view("\r\n\0", 3)) == not_found;
}

std::string header_fault(std::string_view name, std::string_view value) {
  if (name.empty()) return "empty header name";
  if (!valid_header_name(name)) return "header name with a blank, control byte or colon";
  if (!valid_header_value(value)) return "value of header " + std::string(name) + " with CR, LF or NUL";
  return {};
}

std::size_t encoded_size(header_fields fields) noexcept {
  std::size_t size = version.size() + 2 * line_end.size();
  for (const auto& [name, value] : fields) size += name.size() + separator.size() + value.size() + line_end.size();
  return size;
}

char* write_header_block(char* at, header_fields fields) noexcept {
  const auto put = [&](std::string_view text) {
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    at += text.size();
  };
  put(version);
  put(line_end);
  for (const auto& [name, value] : fields) {
    put(name);
    put(separator);
    put(value);
    put(line_end);
  }
  put(line_end);
  return at;
}

void append_header_block(std::string& out, header_fields fields) {
  const std::size_t before = out.size();
  out.resize(before + encoded_size(fields));
  write_header_block(out.data() + before, fields);
}

}  // namespace compass_fabric::proto
