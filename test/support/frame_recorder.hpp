// SPDX-License-Identifier: Apache-2.0
// Feeds the parser a stream in pieces, as a link does, and keeps copies of what came out.
//
//   frame_recorder whole(wire), halves;
//   halves.feed(wire.substr(0, cut));
//   halves.feed(wire.substr(cut));
//   CHECK(halves == whole);
#pragma once

#include "proto/parser.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::testing {

/// A frame that owns its parts; those without a meaning for its kind are empty.
struct recorded_frame {
  proto::frame_kind kind{};
  std::uint64_t sid = 0;
  std::string subject, reply, header_block, payload;
  std::string text;

  friend bool operator==(const recorded_frame&, const recorded_frame&) = default;
  friend std::ostream& operator<<(std::ostream& out, const recorded_frame& f) {
    return out << '{' << static_cast<int>(f.kind) << " sid " << f.sid << " subject '" << f.subject << "' reply '"
               << f.reply << "' header " << f.header_block.size() << " payload " << f.payload.size() << " '"
               << f.payload.substr(0, 20) << "' text '" << f.text.substr(0, 40) << "'}";
  }
};

class frame_recorder {
 public:
  explicit frame_recorder(proto::parser_limits limits = {}) : parser_(limits) {}
  explicit frame_recorder(std::string_view wire, proto::parser_limits limits = {}) : frame_recorder(limits) {
    feed(wire);
  }

  /// Each call moves the unconsumed bytes to a new block that ends with them: a view kept from the last call, or a read
  /// behind the input, is an error the sanitizer sees.
  void feed(std::string_view bytes) {
    const std::size_t size = left_ + bytes.size();
    std::unique_ptr<char[]> next(new char[size]);
    std::copy_n(block_.get() + (size_ - left_), left_, next.get());
    std::copy(bytes.begin(), bytes.end(), next.get() + left_);
    block_ = std::move(next);
    size_ = left_ = size;
    parse();
  }

  const std::vector<recorded_frame>& frames() const noexcept { return frames_; }
  proto::parse_error error() const noexcept { return parser_.error(); }
  std::size_t needed() const noexcept { return parser_.needed(); }
  /// Bytes that wait for more.
  std::size_t unconsumed() const noexcept { return left_; }

  friend bool operator==(const frame_recorder& a, const frame_recorder& b) {
    return a.frames_ == b.frames_ && a.error() == b.error() && a.left_ == b.left_;
  }

 private:
  std::string_view input() const noexcept { return {block_.get() + (size_ - left_), left_}; }

  void parse() {
    for (;;) {
      proto::frame f{};
      const auto r = parser_.parse(input(), f);
      if (r.status != proto::parse_status::frame) {
        // What is promised to the reader, or it would wait for bytes that are here already.
        if (r.consumed != 0 || (r.status == proto::parse_status::need_more && needed() != 0 && needed() <= left_))
          std::abort();
        return;
      }
      if (r.consumed == 0 || r.consumed > left_) std::abort();
      frames_.push_back(copy(f));
      left_ -= r.consumed;
    }
  }

  static recorded_frame copy(const proto::frame& f) {
    recorded_frame r;
    r.kind = f.kind;
    if (f.kind == proto::frame_kind::msg) {
      r.sid = f.sid;
      r.subject = f.subject;
      r.reply = f.reply;
      r.header_block = f.header_block;
      r.payload = f.payload;
    } else if (f.kind == proto::frame_kind::info || f.kind == proto::frame_kind::err) {
      r.text = f.text;
    }
    return r;
  }

  proto::parser parser_;
  std::unique_ptr<char[]> block_;
  std::size_t size_ = 0;
  std::size_t left_ = 0;
  std::vector<recorded_frame> frames_;
};

}  // namespace compass_fabric::testing
