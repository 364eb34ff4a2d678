// SPDX-License-Identifier: Apache-2.0
#include "jetstream/fetch_state.hpp"

#include <algorithm>

#include "proto/deadline_queue.hpp"

namespace compass_fabric::jetstream {

namespace {

/// For the server's own end of the pull to travel. Small, so that a fetch keeps its time also when that line is lost.
constexpr std::chrono::milliseconds grace{40};

}  // namespace

fetch_state::fetch_state(std::size_t batch, const fetch_options& options, time_point now)
    : missing_(batch),
      heartbeat_(options.idle_heartbeat),
      end_time_(proto::deadline_after(proto::deadline_after(now, options.expires), grace)),
      last_arrival_(now) {}

void fetch_state::message(time_point now) {
  if (over_) return;
  last_arrival_ = now;
  empty_ = false;
  if (--missing_ != 0) return;
  open_at_server_ = false;
  finish(fetch_end::complete);
}

void fetch_state::status(const pull_status& line, time_point now) {
  if (over_) return;
  last_arrival_ = now;
  if (line.kind == status_kind::heartbeat) return;
  open_at_server_ = false;
  switch (line.kind) {
    case status_kind::no_messages:
    case status_kind::expired: return finish(fetch_end::no_more_messages);
    case status_kind::completed: return finish(fetch_end::bytes_used_up);
    case status_kind::too_large:
      if (!empty_) return finish(fetch_end::bytes_used_up);
      break;
    default: break;
  }
  finish(fetch_end::failed, error_of(line.kind), line.text);
}

void fetch_state::elapsed(time_point now) {
  if (over_) return;
  if (now >= end_time_) return finish(fetch_end::no_more_messages);
  if (heartbeat_.count() == 0) return;
  const auto end = last_arrival_ + 2 * heartbeat_;
  if (now < end) return;
  // A late look means that the executor was held up, and with it what may have arrived.
  if (now - end > heartbeat_ / 2) {
    last_arrival_ = now - heartbeat_;
    return;
  }
  finish(fetch_end::failed, errc::missed_heartbeats);
}

void fetch_state::fail(error_code error) {
  if (!over_) finish(fetch_end::failed, error);
}

fetch_state::time_point fetch_state::due() const noexcept {
  if (heartbeat_.count() == 0) return end_time_;
  return std::min<time_point>(end_time_, last_arrival_ + 2 * heartbeat_);
}

void fetch_state::finish(fetch_end end, error_code error, std::string_view text) {
  over_ = true;
  end_ = end;
  error_ = error;
  text_ = text;
}

}  // namespace compass_fabric::jetstream
