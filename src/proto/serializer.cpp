// SPDX-License-Identifier: Apache-2.0
#include "proto/serializer.hpp"

#include <charconv>
#include <cstring>

namespace compass_fabric::proto {
namespace {

// Verbs, blanks, line ends and numbers of one operation together stay below this.
constexpr std::size_t overhead = 80;

// Two overlapping words instead of a call, for the short texts of which most operations consist.
template <class Word>
void copy_ends(char* at, std::string_view text) noexcept {
  std::memcpy(at, text.data(), sizeof(Word));
  std::memcpy(at + text.size() - sizeof(Word), text.data() + text.size() - sizeof(Word), sizeof(Word));
}

inline char* put(char* at, std::string_view text) noexcept {
  const std::size_t size = text.size();
  if (size > 2 * sizeof(std::uint64_t)) {
    std::memcpy(at, text.data(), size);
  } else if (size >= sizeof(std::uint64_t)) {
    copy_ends<std::uint64_t>(at, text);
  } else if (size >= sizeof(std::uint32_t)) {
    copy_ends<std::uint32_t>(at, text);
  } else {
    for (std::size_t i = 0; i < size; ++i) at[i] = text[i];
  }
  return at + size;
}

inline char* put_number(char* at, std::uint64_t value) noexcept {
  if (value >= 1000) return std::to_chars(at, at + 20, value).ptr;
  // The sizes of most messages; shorter than finding out how many digits there are.
  const auto small = static_cast<unsigned>(value);
  if (small >= 100) *at++ = static_cast<char>('0' + small / 100);
  if (small >= 10) *at++ = static_cast<char>('0' + small / 10 % 10);
  *at++ = static_cast<char>('0' + small % 10);
  return at;
}

inline char* put_subjects(char* at, const publish_command& c) noexcept {
  at = put(at, c.subject);
  *at++ = ' ';
  if (!c.reply.empty()) {
    at = put(at, c.reply);
    *at++ = ' ';
  }
  return at;
}

inline char* put_line_end(char* at) noexcept {
  at[0] = '\r';
  at[1] = '\n';
  return at + 2;
}

}  // namespace

void append_publish(flat_buffer& out, const publish_command& c) {
  char* const start = out.prepare(c.subject.size() + c.reply.size() + c.payload.size() + overhead);
  char* at = put(start, "PUB ");
  at = put_subjects(at, c);
  at = put_number(at, c.payload.size());
  at = put_line_end(at);
  at = put(at, c.payload);
  at = put_line_end(at);
  out.commit(static_cast<std::size_t>(at - start));
}

char* append_publish_with_headers(flat_buffer& out, const publish_command& c, std::size_t header_size) {
  char* const start = out.prepare(c.subject.size() + c.reply.size() + header_size + c.payload.size() + overhead);
  char* at = put(start, "HPUB ");
  at = put_subjects(at, c);
  at = put_number(at, header_size);
  *at++ = ' ';
  at = put_number(at, header_size + c.payload.size());
  at = put_line_end(at);
  char* const block = at;
  at = put(at + header_size, c.payload);
  at = put_line_end(at);
  out.commit(static_cast<std::size_t>(at - start));
  return block;
}

void append_subscribe(flat_buffer& out, std::string_view subject, std::string_view queue, std::uint64_t sid) {
  char* const start = out.prepare(subject.size() + queue.size() + overhead);
  char* at = put(start, "SUB ");
  at = put_subjects(at, {subject, queue, {}});  // the queue stands where a publish has its reply
  at = put_number(at, sid);
  at = put_line_end(at);
  out.commit(static_cast<std::size_t>(at - start));
}

void append_unsubscribe(flat_buffer& out, std::uint64_t sid, std::uint64_t max) {
  char* const start = out.prepare(overhead);
  char* at = put(start, "UNSUB ");
  at = put_number(at, sid);
  if (max != 0) {
    *at++ = ' ';
    at = put_number(at, max);
  }
  at = put_line_end(at);
  out.commit(static_cast<std::size_t>(at - start));
}

}  // namespace compass_fabric::proto
