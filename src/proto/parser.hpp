// SPDX-License-Identifier: Apache-2.0
// Bytes from the server to frames: resumable at every byte, without allocation, views into the caller's buffer.
//
//   frame f;
//   for (auto r = parser.parse(buffer.view(), f); r.status == parse_status::frame; r = parser.parse(buffer.view(), f))
//   {
//     act_on(f);
//     buffer.consume(r.consumed);
//   }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace compass_fabric::proto {

/// What the server can send.
enum class frame_kind : std::uint8_t { info, ping, pong, ok, err, msg };

/// One operation of the server. The views lie in the parsed input.
struct frame {
  frame_kind kind;
  /// msg: the subscription the message is for, as this client numbered it.
  std::uint64_t sid;
  /// msg: subject, reply (may be empty), raw header block (may be empty), payload.
  std::string_view subject;
  std::string_view reply;
  std::string_view header_block;
  std::string_view payload;
  /// info: the JSON; err: the text as sent.
  std::string_view text;
};

/// Why parsing stopped for good.
enum class parse_error : std::uint8_t {
  none,
  unknown_verb,
  bad_arguments,
  bad_number,
  line_too_long,
  message_too_large,
  no_line_end
};

const char* to_string(parse_error e) noexcept;

enum class parse_status : std::uint8_t { frame, need_more, error };

struct parse_result {
  parse_status status;
  /// Bytes to drop from the front of the input once the frame was used; 0 unless `status` is frame.
  std::size_t consumed;
};

/// Limits of what is accepted from the peer.
struct parser_limits {
  /// Longest control line. INFO of a large cluster passes the 4096 bytes that bind clients.
  std::size_t line = 1024 * 1024;
  /// Largest header block plus payload. Above the server's default ceiling, so that only nonsense is refused.
  std::size_t message = 128 * 1024 * 1024;
};

/// The state between two calls is where the line search stopped, and the parsed control line while a payload arrives.
/// Each call must start at the first unconsumed byte; what is behind it may have grown.
class parser {
 public:
  explicit parser(parser_limits limits = {}) noexcept : limits_(limits) {}

  /// Parses the frame at the front of `input`. An error is final: the link is to be given up.
  parse_result parse(std::string_view input, frame& out) noexcept;

  /// After need_more: bytes from the front of the input that complete the frame, or 0 when not known yet.
  std::size_t needed() const noexcept { return total_; }
  parse_error error() const noexcept { return error_; }

 private:
  // The control line of a message, as offsets from the front of the input: the block may move while a payload arrives.
  struct message_line {
    std::uint64_t sid = 0;
    std::size_t subject_at = 0, subject_size = 0;
    std::size_t reply_at = 0, reply_size = 0;
    std::size_t header_size = 0, body_size = 0, body_at = 0;
  };

  parse_result fail(parse_error e) noexcept;
  parse_result parse_line(std::string_view input, std::size_t lf, frame& out) noexcept;
  parse_result parse_verb(std::string_view line, std::size_t consumed, frame& out) noexcept;
  bool parse_common_line(std::string_view line) noexcept;
  bool parse_message_line(std::string_view line, bool with_headers) noexcept;
  parse_result deliver(std::string_view input, frame& out) noexcept;

  parser_limits limits_;
  std::size_t searched_ = 0;  // bytes without a line feed
  std::size_t total_ = 0;     // size of the message frame whose control line is known, 0 = none
  message_line line_;
  parse_error error_ = parse_error::none;
};

}  // namespace compass_fabric::proto
