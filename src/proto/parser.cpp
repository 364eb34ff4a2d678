// SPDX-License-Identifier: Apache-2.0
#include "proto/parser.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "proto/ascii.hpp"

namespace compass_fabric::proto {
namespace {

constexpr bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }

constexpr char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// True when `line` starts with the lower-case `verb`, whatever its case.
bool starts_with_verb(std::string_view line, std::string_view verb) noexcept {
  if (line.size() < verb.size()) return false;
  for (std::size_t i = 0; i < verb.size(); ++i)
    if (lower(line[i]) != verb[i]) return false;
  return true;
}

std::string_view trim(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// Fields hold at most 9 digits in sizes and 19 in sids: neither can overflow.
bool parse_digits(std::string_view field, std::size_t most, std::uint64_t& value) noexcept {
  if (field.empty() || field.size() > most) return false;
  std::uint64_t v = 0;
  for (const char c : field) {
    const auto digit = static_cast<unsigned char>(c - '0');
    if (digit > 9) return false;
    v = v * 10 + digit;
  }
  value = v;
  return true;
}

constexpr std::size_t size_digits = 9;
constexpr std::size_t sid_digits = 19;

struct fields {
  // Only the first `count` are set: filling all six with empty views would cost as much as finding them.
  struct bounds {
    const char* begin;
    const char* end;
  };
  std::array<bounds, 6> at;
  std::size_t count = 0;

  std::string_view operator[](std::size_t i) const noexcept { return {at[i].begin, at[i].end}; }
};

// Passes over bytes above the blank, eight at a time as far as they reach. A byte below 0x21 borrows in the
// subtraction; the lowest bit set belongs to the first one, whatever the borrow does to the bytes behind it.
const char* skip_text(const char* p, const char* end) noexcept {
  if constexpr (std::endian::native != std::endian::little) return p;
  constexpr std::uint64_t ones = 0x0101010101010101;
  for (; end - p >= 8; p += 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, p, sizeof bytes);
    const std::uint64_t low = (bytes - 0x21 * ones) & ~bytes & 0x80 * ones;
    if (low != 0) return p + std::countr_zero(low) / 8;
  }
  return p;
}

// Where the field that starts at `p` ends. The CR or LF at `end` stops the inner loop, which therefore needs no other
// bound: it runs for every byte of every subject. Control bytes are no blanks and belong to the field.
const char* field_end(const char* p, const char* end) noexcept {
  for (;; ++p) {
    p = skip_text(p, end);
    while (static_cast<unsigned char>(*p) > ' ') ++p;
    if (p == end || is_blank(*p)) return p;
  }
}

// The one blank at `p`, which ends up behind it.
bool take_blank(const char*& p) noexcept {
  if (*p != ' ') return false;
  ++p;
  return true;
}

// The number that starts at `p`, which ends up behind it. False unless it has 1 to `most` digits.
bool take_digits(const char*& p, std::size_t most, std::uint64_t& value) noexcept {
  const char* const start = p;
  std::uint64_t v = 0;
  for (;; ++p) {
    const auto digit = static_cast<unsigned char>(*p - '0');
    if (digit > 9) break;
    v = v * 10 + digit;
  }
  value = v;  // after too many digits, any number
  return p != start && p - start <= static_cast<std::ptrdiff_t>(most);
}

// Splits on runs of blanks; what lies behind the sixth field is left out, for the caller has too many by then. `line`
// must be followed by its CR or LF.
fields split(std::string_view line) noexcept {
  fields f;
  const char* p = line.data();
  const char* const end = p + line.size();
  while (f.count < f.at.size()) {
    while (p != end && is_blank(*p)) ++p;
    if (p == end) break;
    const char* const start = p;
    p = field_end(p, end);
    f.at[f.count++] = {start, p};
  }
  return f;
}

}  // namespace

const char* to_string(parse_error e) noexcept {
  switch (e) {
    case parse_error::none: return "no error";
    case parse_error::unknown_verb: return "unknown operation";
    case parse_error::bad_arguments: return "wrong number of arguments";
    case parse_error::bad_number: return "malformed number";
    case parse_error::line_too_long: return "control line too long";
    case parse_error::message_too_large: return "message larger than any server sends";
    case parse_error::no_line_end: return "payload not followed by a line end";
  }
  return "unknown error";
}

parse_result parser::fail(parse_error e) noexcept {
  error_ = e;
  return {parse_status::error, 0};
}

parse_result parser::parse(std::string_view input, frame& out) noexcept {
  if (error_ != parse_error::none) return {parse_status::error, 0};
  if (total_ != 0) return deliver(input, out);
  if (input.size() == searched_) return {parse_status::need_more, 0};
  const void* lf = std::memchr(input.data() + searched_, '\n', input.size() - searched_);
  if (lf == nullptr) {
    searched_ = input.size();
    return searched_ > limits_.line ? fail(parse_error::line_too_long) : parse_result{parse_status::need_more, 0};
  }
  const auto at = static_cast<std::size_t>(static_cast<const char*>(lf) - input.data());
  searched_ = 0;
  if (at > limits_.line) return fail(parse_error::line_too_long);
  return parse_line(input, at, out);
}

parse_result parser::parse_line(std::string_view input, std::size_t lf, frame& out) noexcept {
  std::string_view line = input.substr(0, lf);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.starts_with("MSG ")) {
    line_.body_at = lf + 1;
    if (parse_common_line(line)) return deliver(input, out);
  }
  const bool plain = starts_with_verb(line, "msg") && line.size() > 3 && is_blank(line[3]);
  const bool with_headers = !plain && starts_with_verb(line, "hmsg") && line.size() > 4 && is_blank(line[4]);
  if (!plain && !with_headers) return parse_verb(line, lf + 1, out);
  line_.body_at = lf + 1;
  if (!parse_message_line(line, with_headers)) return {parse_status::error, 0};
  return deliver(input, out);
}

parse_result parser::parse_verb(std::string_view line, std::size_t consumed, frame& out) noexcept {
  const auto verb = [&](std::string_view name, frame_kind kind) {
    if (!starts_with_verb(line, name)) return false;
    if (line.size() > name.size() && is_alphanumeric(line[name.size()])) return false;  // a longer word
    out.kind = kind;
    out.text = trim(line.substr(name.size()));
    return true;
  };
  const bool known = verb("ping", frame_kind::ping) || verb("pong", frame_kind::pong) ||
                     verb("info", frame_kind::info) || verb("-err", frame_kind::err) || verb("+ok", frame_kind::ok);
  return known ? parse_result{parse_status::frame, consumed} : fail(parse_error::unknown_verb);
}

// As servers write it: MSG, no blank too many, no other character between the fields. False for everything else, which
// is not wrong yet; nothing has been decided then.
bool parser::parse_common_line(std::string_view line) noexcept {
  constexpr std::size_t verb = 4;
  const char* const base = line.data();
  const char* const end = base + line.size();
  const char* p = field_end(base + verb, end);
  const auto subject_size = static_cast<std::size_t>(p - base) - verb;
  if (subject_size == 0 || !take_blank(p) || !take_digits(p, sid_digits, line_.sid) || !take_blank(p)) return false;
  const char* const third = p;
  std::uint64_t total = 0;
  line_.reply_at = line_.reply_size = 0;
  if (!take_digits(p, size_digits, total) || p != end) {
    p = field_end(third, end);
    line_.reply_at = static_cast<std::size_t>(third - base);
    line_.reply_size = static_cast<std::size_t>(p - third);
    if (p == third || p == end || !take_blank(p) || !take_digits(p, size_digits, total) || p != end) return false;
  }
  if (total > limits_.message) return false;
  line_.subject_at = verb;
  line_.subject_size = subject_size;
  line_.header_size = 0;
  line_.body_size = static_cast<std::size_t>(total);
  total_ = line_.body_at + line_.body_size + 2;
  return true;
}

// MSG <subject> <sid> [reply] <size>   HMSG <subject> <sid> [reply] <header size> <total size>
bool parser::parse_message_line(std::string_view line, bool with_headers) noexcept {
  const fields f = split(line.substr(with_headers ? 4 : 3));
  const std::size_t numbers = with_headers ? 2 : 1;
  if (f.count != 2 + numbers && f.count != 3 + numbers) {
    fail(parse_error::bad_arguments);
    return false;
  }
  std::uint64_t header = 0;
  std::uint64_t total = 0;
  if (!parse_digits(f[1], sid_digits, line_.sid) || !parse_digits(f[f.count - 1], size_digits, total) ||
      (with_headers && !parse_digits(f[f.count - 2], size_digits, header)) || header > total) {
    fail(parse_error::bad_number);
    return false;
  }
  if (total > limits_.message) {
    fail(parse_error::message_too_large);
    return false;
  }
  const bool has_reply = f.count == 3 + numbers;
  const char* const base = line.data();
  line_.subject_at = static_cast<std::size_t>(f[0].data() - base);
  line_.subject_size = f[0].size();
  line_.reply_at = has_reply ? static_cast<std::size_t>(f[2].data() - base) : 0;
  line_.reply_size = has_reply ? f[2].size() : 0;
  line_.header_size = static_cast<std::size_t>(header);
  line_.body_size = static_cast<std::size_t>(total);
  total_ = line_.body_at + line_.body_size + 2;
  return true;
}

parse_result parser::deliver(std::string_view input, frame& out) noexcept {
  if (input.size() < total_) return {parse_status::need_more, 0};
  const char* const body = input.data() + line_.body_at;
  if (body[line_.body_size] != '\r' || body[line_.body_size + 1] != '\n') return fail(parse_error::no_line_end);
  out.kind = frame_kind::msg;
  out.sid = line_.sid;
  out.subject = input.substr(line_.subject_at, line_.subject_size);
  out.reply = input.substr(line_.reply_at, line_.reply_size);
  out.header_block = {body, line_.header_size};
  out.payload = {body + line_.header_size, line_.body_size - line_.header_size};
  const std::size_t consumed = total_;
  total_ = 0;
  return {parse_status::frame, consumed};
}

}  // namespace compass_fabric::proto
