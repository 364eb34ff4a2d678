// SPDX-License-Identifier: Apache-2.0
// The window of a continuous consumer: what the server still owes, what waits for the application, when to pull again,
// and what each status line means for that. Pure: told what happened and when, it answers what to do.
//
//   state.connected(now);
//   while (auto pull = state.next_pull(now)) send(*pull);
#pragma once

#include "jetstream/pull_status.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace compass_fabric::jetstream {

/// A pull to send. Its id makes its reply subject, so that a late status of an old pull cannot end a new one.
struct pull_order {
  std::uint64_t id = 0;
  std::size_t messages = 0;
  /// 0 = no limit.
  std::size_t bytes = 0;
};

/// What a status line asks of the caller.
enum class pull_verdict {
  /// Nothing; `next_pull` may have work.
  go_on,
  /// The pull is gone before its time; to be reported.
  pull_lost,
  /// Nobody serves the consumer's subject: find out whether it exists.
  check_consumer,
  /// The next message does not fit the limit and is fetched alone; to be reported.
  too_large,
  /// No pull can succeed any more.
  end,
};

/// Invariant: at most `max_messages` are owed or buffered, except while messages of a pull that was given up still come
/// in. Messages do not tell which pull they answer (they carry their stored subject), statuses do: so one counter holds
/// what all pulls of the current epoch owe, and a reset begins a new epoch.
class pull_state {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  using duration = std::chrono::steady_clock::duration;

  struct settings {
    std::size_t max_messages = 500;
    /// 0 = no limit.
    std::size_t max_bytes = 0;
    int refill_percent = 50;
    duration idle_heartbeat = std::chrono::seconds(15);
    duration initial_pause = std::chrono::milliseconds(100);
    duration max_pause = std::chrono::seconds(1);
  };

  explicit pull_state(const settings& wanted);

  /// The pull to send at `now`, already accounted for; nothing while enough is under way, during a pause, or without a
  /// connection.
  std::optional<pull_order> next_pull(time_point now);

  /// A message came in and waits for the application.
  void arrived(std::size_t bytes, time_point now);
  /// The application took one.
  void taken(std::size_t bytes) noexcept;
  pull_verdict status(std::uint64_t id, const pull_status& line, time_point now);
  /// True when the pulls under way were just given up because nothing came for two heartbeats.
  bool gave_up(time_point now);
  /// Starts over behind a pause: the consumer is gone, or a pull could not be sent.
  void start_over(time_point now);

  void disconnected() noexcept;
  void connected(time_point now) noexcept;

  /// When to look again (`gave_up`, then `next_pull`) though nothing arrives; nothing = not needed.
  std::optional<time_point> due() const noexcept;

 private:
  struct sent {
    std::uint64_t id;
    std::size_t messages;
    std::size_t bytes;
    std::size_t unanswered;
  };

  bool wants_more() const noexcept;
  pull_order order_alone();
  pull_order order_rest();
  void account(const pull_order& order, time_point now);
  void subtract(std::uint64_t id, const pull_status& line);
  bool too_large(std::uint64_t id, const pull_status& line);
  void reset() noexcept;
  void pause(time_point now) noexcept;
  void cut_short(time_point now) noexcept;
  void alive(time_point now) noexcept;

  const settings settings_;
  std::size_t owed_ = 0;
  std::size_t owed_bytes_ = 0;
  std::size_t buffered_ = 0;
  std::size_t buffered_bytes_ = 0;
  /// Pulls under way in the order of sending; messages are booked on the oldest, which keeps the list short.
  std::deque<sent> sent_;
  std::uint64_t next_id_ = 1;
  /// First id of this epoch; statuses of earlier pulls mean nothing any more.
  std::uint64_t epoch_ = 1;
  /// The one-message pull without a byte limit that is under way; nothing else is sent beside it.
  std::uint64_t alone_ = 0;
  bool want_alone_ = false;
  /// The last message did not fit the rest of the limit: pull next with all of it.
  bool want_empty_ = false;
  bool connected_ = false;
  /// Something good came since the last time a pull was cut short.
  bool progressed_ = true;
  time_point last_arrival_{};
  time_point pause_end_{};
  duration pause_;
};

}  // namespace compass_fabric::jetstream
