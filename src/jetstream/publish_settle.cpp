// SPDX-License-Identifier: Apache-2.0
// The second half of a publisher's window: what happens to messages after they were sent.
#include <utility>

#include "jetstream/guarded.hpp"
#include "jetstream/publish_window.hpp"
#include "jetstream/replies.hpp"
#include "proto/deadline_queue.hpp"

namespace compass_fabric::jetstream {

using state = publish_slot::state;

namespace {

using clock = std::chrono::steady_clock;

}  // namespace

void publish_window::on_reply(const message_view& m) {
  std::size_t index = 0;
  auto* slot = find(m.subject.substr(inbox_.size()), index);
  if (slot == nullptr) return;
  if (m.payload.empty() && m.headers().status() == 503) return decide(index, slot->attempts->no_stream(clock::now()));
  publish_outcome outcome;
  try {
    outcome.ack = read_publish_ack(m.payload, slot->subject);
  } catch (const api_error& e) {
    const auto decision = slot->attempts->refused(e.err_code(), e.code(), clock::now());
    if (decision.again()) return decide(index, decision);
    outcome.error = decision.error;
    outcome.err_code = e.err_code();
    outcome.description = e.description();
  } catch (const system_error&) {
    // Some other subscriber of the subject answered; the stream's own answer may still come.
    return;
  }
  finish(index, std::move(outcome));
}

/// Without a link no ack can come: what has an id waits for the next link, what has none is in doubt for good.
void publish_window::on_link(const connection_event& event) {
  if (event.kind == event_kind::closed) return finish_all(errc::ack_unknown);
  if (event.kind != event_kind::disconnected && event.kind != event_kind::reconnected) return;
  const bool lost = event.kind == event_kind::disconnected;
  for (std::size_t index = 0; index != slots_.size(); ++index) {
    auto& slot = slots_[index];
    if (!lost && slot.now == state::parked) send_again(index);
    if (!lost || slot.now != state::sent) continue;
    const auto decision = slot.attempts->no_ack(clock::now());
    decide(index, decision);
    if (decision.again()) slot.now = state::parked;
  }
}

void publish_window::look() {
  const auto now = clock::now();
  const bool connected = link_.state() == connection_state::connected;
  for (std::size_t index = 0; index != slots_.size(); ++index) {
    auto& slot = slots_[index];
    const bool waits_for_link = slot.now == state::parked || (slot.now == state::pausing && !connected);
    if (slot.now == state::free || slot.now == state::filling || now < slot.due) continue;
    if (slot.now == state::sent || waits_for_link) {
      decide(index, slot.attempts->no_ack(now));
      if (waits_for_link && slot.now == state::pausing) slot.now = state::parked;
    } else {
      send_again(index);
    }
  }
}

void publish_window::send_again(std::size_t index) {
  auto& slot = slots_[index];
  const auto now = clock::now();
  slot.now = state::sent;
  slot.due = proto::deadline_after(now, slot.attempts->ack_wait(now));
  // Not sent now, tried again by the same rules as one whose ack does not come.
  if (link_.try_publish(slot.subject, slot.payload, wire_options(slot))) slot.due = now;
}

void publish_window::decide(std::size_t index, const publish_decision& decision) {
  if (!decision.again()) {
    publish_outcome outcome;
    outcome.error = decision.error;
    return finish(index, std::move(outcome));
  }
  slots_[index].now = state::pausing;
  slots_[index].due = decision.retry_at;
}

void publish_window::finish(std::size_t index, publish_outcome outcome) {
  outcome.tag = slots_[index].tag;
  release_slot(index);
  if (on_outcome_) guarded(get_executor(), [&] { on_outcome_(outcome); });
}

void publish_window::finish_all(error_code reason) {
  for (std::size_t index = 0; index != slots_.size(); ++index) {
    if (slots_[index].now == state::free || slots_[index].now == state::filling) continue;
    publish_outcome outcome;
    outcome.error = reason;
    finish(index, std::move(outcome));
  }
}

}  // namespace compass_fabric::jetstream
