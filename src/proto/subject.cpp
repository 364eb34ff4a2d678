// SPDX-License-Identifier: Apache-2.0
#include "proto/subject.hpp"

#include <cstdint>
#include <cstring>

#include "proto/byte_class.hpp"

namespace compass_fabric::proto {

namespace {

/// An extra flag beside the byte classes: a dot next to a dot or at an end.
constexpr unsigned empty_token = 8;

/// Eight bytes in one word, each test answering with the top bits of the bytes it holds for.
class eight_bytes {
 public:
  explicit eight_bytes(std::uint64_t word) noexcept : word_(word) {}

  /// A byte that is no ordinary one or dot, or two dots side by side.
  bool suspicious() const noexcept {
    const std::uint64_t dots = equal('.');
    return (blank_or_control() | equal('*') | equal('>') | (dots & (dots << 8))) != 0;
  }

 private:
  static constexpr std::uint64_t each = 0x0101010101010101;
  static constexpr std::uint64_t low = 0x7f * each;

  std::uint64_t equal(char byte) const noexcept {
    const std::uint64_t difference = word_ ^ (each * static_cast<unsigned char>(byte));
    return ~(((difference & low) + low) | difference | low);
  }
  /// Up to and with the blank, and DEL.
  std::uint64_t blank_or_control() const noexcept {
    const std::uint64_t above_blank = (word_ & low) + (0x7f - ' ') * each;
    const std::uint64_t is_del = (word_ & low) + each;
    return (~above_blank | is_del) & ~word_ & ~low;
  }

  std::uint64_t word_;
};

template <class Word>
Word load(const char* at) noexcept {
  Word word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// True only for a valid subject without wildcard characters: the hot path of every publish. Says no to very short ones
/// and, where two words overlap, to a few more; `scan` decides on those.
bool surely_plain(std::string_view text) noexcept {
  const std::size_t size = text.size();
  if (size < 4 || text.front() == '.' || text.back() == '.') return false;
  const char* const first = text.data();
  if (size < 8) {
    const std::uint64_t ends = load<std::uint32_t>(first) | std::uint64_t{load<std::uint32_t>(first + size - 4)} << 32;
    return !eight_bytes(ends).suspicious();
  }
  // One byte of overlap shows each pair of neighbours to one of the words.
  const char* const last = first + size - 8;
  for (const char* at = first; at < last; at += 7) {
    if (eight_bytes(load<std::uint64_t>(at)).suspicious()) return false;
  }
  return !eight_bytes(load<std::uint64_t>(last)).suspicious();
}

/// All byte classes that occur in `text`, and `empty_token`.
unsigned scan(std::string_view text) noexcept {
  unsigned seen = 0;
  unsigned twice = 0;  // classes that two neighbours share
  unsigned previous = dot_byte;
  for (const char byte : text) {
    const unsigned current = class_of(byte);
    seen |= current;
    twice |= current & previous;
    previous = current;
  }
  return seen | ((twice | previous) & dot_byte) * empty_token;
}

bool size_allowed(std::string_view text) noexcept { return !text.empty() && text.size() <= max_subject_size; }

bool is_wildcard(std::string_view token) noexcept { return token == "*" || token == ">"; }

/// Walks the tokens of a text; an empty text has one empty token.
class token_walk {
 public:
  explicit token_walk(std::string_view text) noexcept : rest_(text) {}

  bool at_end() const noexcept { return ended_; }

  /// Precondition: not `at_end()`.
  std::string_view next() noexcept {
    const auto dot = rest_.find('.');
    const auto token = rest_.substr(0, dot);
    ended_ = dot == std::string_view::npos;
    rest_.remove_prefix(ended_ ? rest_.size() : dot + 1);
    return token;
  }

 private:
  std::string_view rest_;
  bool ended_ = false;
};

bool has_wildcard_token(std::string_view subject) noexcept {
  for (token_walk tokens(subject); !tokens.at_end();) {
    if (is_wildcard(tokens.next())) return true;
  }
  return false;
}

bool has_misplaced_tail_wildcard(std::string_view filter) noexcept {
  for (token_walk tokens(filter); !tokens.at_end();) {
    if (tokens.next() == ">" && !tokens.at_end()) return true;
  }
  return false;
}

bool has_empty_token(std::string_view text) noexcept {
  return text.empty() || text.front() == '.' || text.back() == '.' || text.find("..") != std::string_view::npos;
}

}  // namespace

bool valid_publish_subject(std::string_view subject) noexcept {
  if (!size_allowed(subject)) return false;
  if (surely_plain(subject)) return true;
  const unsigned seen = scan(subject);
  if ((seen & (forbidden_byte | empty_token)) != 0) return false;
  return (seen & wildcard_byte) == 0 || !has_wildcard_token(subject);
}

bool valid_filter(std::string_view filter) noexcept {
  if (!size_allowed(filter)) return false;
  const unsigned seen = scan(filter);
  if ((seen & (forbidden_byte | empty_token)) != 0) return false;
  return (seen & wildcard_byte) == 0 || !has_misplaced_tail_wildcard(filter);
}

bool valid_queue_name(std::string_view name) noexcept {
  return size_allowed(name) && (scan(name) & forbidden_byte) == 0;
}

bool valid_token(std::string_view token) noexcept { return size_allowed(token) && scan(token) == 0; }

bool matches(std::string_view filter, std::string_view subject) noexcept {
  if (has_empty_token(filter) || has_empty_token(subject)) return false;
  token_walk wanted(filter);
  token_walk given(subject);
  while (!wanted.at_end() && !given.at_end()) {
    const auto pattern = wanted.next();
    if (pattern == ">" && wanted.at_end()) return true;
    const auto token = given.next();
    if (pattern != "*" && pattern != token) return false;
  }
  return wanted.at_end() && given.at_end();
}

bool covers(std::string_view wider, std::string_view narrower) noexcept {
  if (has_empty_token(wider) || has_empty_token(narrower)) return false;
  token_walk outer(wider);
  token_walk inner(narrower);
  while (!outer.at_end() && !inner.at_end()) {
    const auto pattern = outer.next();
    if (pattern == ">") return true;
    const auto token = inner.next();
    if (token == ">") return false;
    if (pattern != "*" && pattern != token) return false;
  }
  return outer.at_end() && inner.at_end();
}

bool overlaps(std::string_view left, std::string_view right) noexcept {
  if (has_empty_token(left) || has_empty_token(right)) return false;
  token_walk first(left);
  token_walk second(right);
  while (!first.at_end() && !second.at_end()) {
    const auto a = first.next();
    const auto b = second.next();
    if (a == ">" || b == ">") return true;
    if (a != "*" && b != "*" && a != b) return false;
  }
  return first.at_end() && second.at_end();
}

}  // namespace compass_fabric::proto
