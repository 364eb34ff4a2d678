// SPDX-License-Identifier: Apache-2.0
// One fetch: when it is over, and why. Pure: told what arrived and when.
#pragma once

#include "jetstream/pull_status.hpp"

#include <chrono>
#include <cstddef>
#include <string>

#include <compass_fabric/jetstream/consumer.hpp>

namespace compass_fabric::jetstream {

/// Once it is over nothing changes it any more.
class fetch_state {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// `expires` counts from `now`. What the server sends at its own end of that time gets a moment to arrive.
  fetch_state(std::size_t batch, const fetch_options& options, time_point now);

  void message(time_point now);
  void status(const pull_status& line, time_point now);
  /// To be called when `due` has passed.
  void elapsed(time_point now);
  /// The link or the connection is gone.
  void fail(error_code error);

  bool over() const noexcept { return over_; }
  fetch_end end() const noexcept { return end_; }
  error_code error() const noexcept { return error_; }
  const std::string& text() const noexcept { return text_; }
  /// True while the server may still hold the pull and answer it.
  bool open_at_server() const noexcept { return open_at_server_; }
  time_point due() const noexcept;

 private:
  void finish(fetch_end end, error_code error = {}, std::string_view text = {});

  std::size_t missing_;
  bool empty_ = true;
  std::chrono::milliseconds heartbeat_;
  time_point end_time_;
  time_point last_arrival_;
  bool over_ = false;
  bool open_at_server_ = true;
  fetch_end end_ = fetch_end::complete;
  error_code error_;
  std::string text_;
};

}  // namespace compass_fabric::jetstream
