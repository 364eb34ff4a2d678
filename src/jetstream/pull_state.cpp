// SPDX-License-Identifier: Apache-2.0
#include "jetstream/pull_state.hpp"

#include <algorithm>

namespace compass_fabric::jetstream {

namespace {

/// An old pull may still answer beside a new one, so more can come than was asked for.
void lower(std::size_t& counter, std::size_t by) noexcept { counter -= std::min(counter, by); }

}  // namespace

pull_state::pull_state(const settings& wanted) : settings_(wanted), pause_(wanted.initial_pause) {}

bool pull_state::wants_more() const noexcept {
  const auto count = owed_ + buffered_;
  if (want_empty_) return count == 0;
  const auto percent = static_cast<std::size_t>(settings_.refill_percent);
  if (count > settings_.max_messages * percent / 100) return false;
  return settings_.max_bytes == 0 || owed_bytes_ + buffered_bytes_ <= settings_.max_bytes * percent / 100;
}

std::optional<pull_order> pull_state::next_pull(time_point now) {
  if (!connected_ || now < pause_end_ || alone_ != 0) return std::nullopt;
  if (!want_alone_ && !wants_more()) return std::nullopt;
  const auto order = want_alone_ ? order_alone() : order_rest();
  account(order, now);
  return order;
}

pull_order pull_state::order_alone() {
  want_alone_ = false;
  alone_ = next_id_;
  return {next_id_++, 1, 0};
}

pull_order pull_state::order_rest() {
  want_empty_ = false;
  const auto bytes = settings_.max_bytes == 0 ? 0 : settings_.max_bytes - owed_bytes_ - buffered_bytes_;
  return {next_id_++, settings_.max_messages - owed_ - buffered_, bytes};
}

void pull_state::account(const pull_order& order, time_point now) {
  // With nothing under way no heartbeat was expected: their count begins now.
  if (owed_ == 0) last_arrival_ = now;
  owed_ += order.messages;
  owed_bytes_ += order.bytes;
  sent_.push_back({order.id, order.messages, order.bytes, order.messages});
}

void pull_state::arrived(std::size_t bytes, time_point now) {
  alive(now);
  ++buffered_;
  buffered_bytes_ += bytes;
  lower(owed_, 1);
  lower(owed_bytes_, bytes);
  alone_ = 0;
  if (!sent_.empty() && --sent_.front().unanswered == 0) sent_.pop_front();
  if (owed_ == 0) owed_bytes_ = 0;
}

void pull_state::taken(std::size_t bytes) noexcept {
  lower(buffered_, 1);
  lower(buffered_bytes_, bytes);
}

pull_verdict pull_state::status(std::uint64_t id, const pull_status& line, time_point now) {
  if (id < epoch_ || id >= next_id_) return pull_verdict::go_on;
  switch (line.kind) {
    case status_kind::heartbeat: alive(now); return pull_verdict::go_on;
    case status_kind::expired:
    case status_kind::completed:
      alive(now);
      subtract(id, line);
      return pull_verdict::go_on;
    case status_kind::no_messages:
      subtract(id, line);
      pause(now);
      return pull_verdict::go_on;
    case status_kind::too_large: alive(now); return too_large(id, line) ? pull_verdict::too_large : pull_verdict::go_on;
    case status_kind::too_many_pulls:
    case status_kind::server_shutdown:
      subtract(id, line);
      pause(now);
      return pull_verdict::pull_lost;
    case status_kind::no_responders: start_over(now); return pull_verdict::check_consumer;
    case status_kind::leadership_change:
    case status_kind::other: cut_short(now); return pull_verdict::pull_lost;
    case status_kind::refused:
    case status_kind::consumer_deleted:
    case status_kind::push_consumer: break;
  }
  return pull_verdict::end;
}

void pull_state::subtract(std::uint64_t id, const pull_status& line) {
  const auto at = std::ranges::find(sent_, id, &sent::id);
  if (alone_ == id) alone_ = 0;
  const bool known = at != sent_.end();
  lower(owed_, line.pending_messages.value_or(known ? at->unanswered : 0));
  lower(owed_bytes_, line.pending_bytes.value_or(known ? at->bytes : 0));
  if (owed_ == 0) owed_bytes_ = 0;
  if (known) sent_.erase(at);
}

bool pull_state::too_large(std::uint64_t id, const pull_status& line) {
  const auto at = std::ranges::find(sent_, id, &sent::id);
  const auto asked = at == sent_.end() ? 0 : at->bytes;
  const bool nothing_came = asked != 0 && line.pending_bytes.value_or(asked) == asked;
  subtract(id, line);
  if (!nothing_came) return false;
  want_alone_ = asked == settings_.max_bytes;
  want_empty_ = !want_alone_;
  return want_alone_;
}

bool pull_state::gave_up(time_point now) {
  if (!connected_ || owed_ == 0) return false;
  const auto end = last_arrival_ + 2 * settings_.idle_heartbeat;
  if (now < end) return false;
  // The executor itself was held up, so what did arrive could not be read: one interval more to read it.
  if (now - end > settings_.idle_heartbeat / 2) {
    last_arrival_ = now - settings_.idle_heartbeat;
    return false;
  }
  reset();
  return true;
}

void pull_state::start_over(time_point now) {
  reset();
  pause(now);
}

void pull_state::disconnected() noexcept {
  connected_ = false;
  reset();
}

void pull_state::connected(time_point now) noexcept {
  connected_ = true;
  reset();
  alive(now);
  pause_end_ = now;
}

std::optional<pull_state::time_point> pull_state::due() const noexcept {
  if (!connected_) return std::nullopt;
  const bool pull_next = alone_ == 0 && (want_alone_ || wants_more());
  if (owed_ == 0) return pull_next ? std::optional(pause_end_) : std::nullopt;
  const auto silence = last_arrival_ + 2 * settings_.idle_heartbeat;
  return pull_next ? std::min(silence, pause_end_) : silence;
}

void pull_state::reset() noexcept {
  owed_ = 0;
  owed_bytes_ = 0;
  sent_.clear();
  alone_ = 0;
  want_alone_ = false;
  want_empty_ = false;
  epoch_ = next_id_;
}

void pull_state::pause(time_point now) noexcept {
  pause_end_ = now + pause_;
  pause_ = std::min(pause_ * 2, settings_.max_pause);
}

/// The first new pull leaves at once; if that one is cut short too, with nothing good between, it takes pauses.
void pull_state::cut_short(time_point now) noexcept {
  reset();
  if (!progressed_) pause(now);
  progressed_ = false;
}

void pull_state::alive(time_point now) noexcept {
  last_arrival_ = now;
  pause_ = settings_.initial_pause;
  progressed_ = true;
}

}  // namespace compass_fabric::jetstream
