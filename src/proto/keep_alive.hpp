// SPDX-License-Identifier: Apache-2.0
// The ping rule: a link is alive when bytes arrive, and only then.
#pragma once

namespace compass_fabric::proto {

/// Asked once per ping interval. What this side writes never counts: a busy publisher would keep a dead link for ever.
class keep_alive {
 public:
  enum class verdict { send_ping, dead };

  explicit keep_alive(int max_outstanding) noexcept : max_(max_outstanding) {}

  /// Bytes arrived.
  void on_data() noexcept { outstanding_ = 0; }
  /// An interval passed.
  verdict on_interval() noexcept {
    if (outstanding_ >= max_) return verdict::dead;
    ++outstanding_;
    return verdict::send_ping;
  }

 private:
  int max_;
  int outstanding_ = 0;
};

}  // namespace compass_fabric::proto
