// SPDX-License-Identifier: Apache-2.0
// The ping rule: a link is alive when bytes arrive, and only then.
#pragma once

#include <cstddef>

namespace compass_fabric::proto {

/// Asked once per ping interval. What this side writes never counts: a busy publisher would keep a dead link for ever.
class keep_alive {
 public:
  enum class verdict { send_ping, dead };

  explicit keep_alive(int max_outstanding) noexcept : max_(max_outstanding) {}

  /// So few bytes in an interval are not a message on its way: where the announced end of one never comes, the answers
  /// to our pings are taken for its content.
  static constexpr std::size_t least_progress = 256;

  /// Something whole arrived.
  void on_data() noexcept {
    outstanding_ = 0;
    partial_ = 0;
  }
  /// So many bytes of something arrived whose end is still missing.
  void on_part(std::size_t bytes) noexcept {
    partial_ += bytes;
    if (partial_ >= least_progress) on_data();
  }
  /// An interval passed.
  verdict on_interval() noexcept {
    partial_ = 0;
    if (outstanding_ >= max_) return verdict::dead;
    ++outstanding_;
    return verdict::send_ping;
  }

 private:
  int max_;
  int outstanding_ = 0;
  std::size_t partial_ = 0;  // in this interval
};

}  // namespace compass_fabric::proto
