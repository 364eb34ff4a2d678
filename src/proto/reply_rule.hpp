// SPDX-License-Identifier: Apache-2.0
// When a request with many replies has had enough of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "proto/deadline_queue.hpp"

namespace compass_fabric::proto {

/// Zero = no such limit, except `total`.
struct reply_limits {
  std::chrono::milliseconds total{0};
  std::chrono::milliseconds stall{0};
  std::size_t count = 0;
};

/// What a reply is, as far as the rule cares.
enum class reply_kind { ordinary, sentinel, no_responders };

/// Fed with replies and the time; it never looks back once it has answered with an end.
class reply_rule {
 public:
  enum class verdict {
    /// Keep this reply and wait for more.
    take,
    /// Keep it; it was the last.
    take_last,
    /// It is the end and not part of the result.
    end,
    /// Nobody listens.
    refused,
    /// It means nothing: keep waiting.
    ignore,
  };

  reply_rule(const reply_limits& limits, time_point start) noexcept
      : limits_(limits), end_(deadline_after(start, limits.total)), due_(end_) {}

  verdict on_reply(reply_kind kind, time_point now) noexcept {
    if (kind == reply_kind::sentinel) return verdict::end;
    // The server says so only when it had nobody to send the request to: replies then come from nowhere.
    if (kind == reply_kind::no_responders) return taken_ == 0 ? verdict::refused : verdict::ignore;
    ++taken_;
    if (limits_.stall.count() > 0) due_ = std::min(end_, deadline_after(now, limits_.stall));
    return taken_ == limits_.count ? verdict::take_last : verdict::take;
  }

  /// When it ends by itself unless a reply comes before.
  time_point due() const noexcept { return due_; }
  std::size_t taken() const noexcept { return taken_; }

 private:
  reply_limits limits_;
  time_point end_;
  time_point due_;
  std::size_t taken_ = 0;
};

}  // namespace compass_fabric::proto
