// SPDX-License-Identifier: Apache-2.0
#include "fabric/concrete_consumers.hpp"
#include "fabric/fabric_state.hpp"
#include "fabric/stream_check.hpp"
#include "fabric/subscription_core.hpp"
#include "fabric/topology.hpp"

#include <compass_fabric/fabric/event_fabric.hpp>

#include <algorithm>
#include <utility>

namespace compass_fabric::fabric {

using boost::asio::awaitable;

namespace {

using state_ptr = std::shared_ptr<const fabric_state>;

state_ptr make_state(connection nc, const config& settings, fabric_event_handler on_event) {
  if (const auto problem = check(settings)) throw_fault(*problem);
  jetstream::context js(nc);
  return std::make_shared<const fabric_state>(
      fabric_state{std::move(nc), std::move(js), settings, std::move(on_event)});
}

/// A new event got a place that was taken before: ask the stream. `known` is what was seen before the publish.
awaitable<void> check_place(const fabric_state& state, stream_position& known, const jetstream::publish_ack& ack) {
  if (!ack.duplicate && known.holds(ack.sequence)) {
    try {
      known.rewind(co_await check_stream(state));
    } catch (const system_error&) {
      // The server does not answer now; the event itself is stored.
    }
  }
  state.position->saw(ack.sequence);
}

/// A retry is safe only while the stream still remembers the message id.
jetstream::publish_retry retry_within(std::chrono::milliseconds duplicate_window) {
  jetstream::publish_retry retry;
  retry.budget = std::min(retry.budget, duplicate_window);
  retry.ack_timeout = std::min(retry.ack_timeout, duplicate_window);
  return retry;
}

/// What one reference becomes on the wire.
struct publication {
  explicit publication(const event_ref& ref)
      : subject(ref.tenant, ref.kind), payload(encode(ref)), id(message_id(ref)) {}

  comms_subject subject;
  std::string payload;
  std::string id;
};

jetstream::publish_options options_for(const publication& p) {
  jetstream::publish_options options;
  options.message_id = p.id;
  options.expected_stream = comms_stream_name;
  return options;
}

jetstream::publish_outcome refused(std::uint64_t tag, const fault& problem) {
  jetstream::publish_outcome outcome;
  outcome.tag = tag;
  outcome.error = problem.code;
  outcome.description = problem.text;
  return outcome;
}

awaitable<provision_report> provision_stream(state_ptr state, topology_mode mode) {
  co_return co_await ensure_stream(*state, mode);
}

awaitable<jetstream::publish_ack> publish_one(state_ptr state, const event_ref& ref) {
  if (const auto problem = check(ref)) throw_fault(*problem);
  const publication p(ref);
  auto options = options_for(p);
  options.retry = retry_within(state->settings.duplicate_window);
  auto js = state->js;
  stream_position known = *state->position;
  auto ack = co_await js.publish(p.subject.str(), p.payload, options);
  co_await check_place(*state, known, ack);
  co_return ack;
}

awaitable<std::vector<jetstream::publish_outcome>> publish_many(state_ptr state, std::span<const event_ref> refs,
                                                                std::size_t window) {
  const auto outcomes = std::make_shared<std::vector<jetstream::publish_outcome>>(refs.size());
  jetstream::publisher_options pace;
  pace.window = std::max<std::size_t>(window, 1);
  pace.retry = retry_within(state->settings.duplicate_window);
  stream_position known = *state->position;
  const auto keep = [outcomes](const jetstream::publish_outcome& o) { (*outcomes)[o.tag] = o; };
  jetstream::publisher out(state->js, pace, keep);
  for (std::uint64_t tag = 0; tag != refs.size(); ++tag) {
    if (const auto problem = check(refs[tag])) {
      (*outcomes)[tag] = refused(tag, *problem);
      continue;
    }
    const publication p(refs[tag]);
    const auto options = options_for(p);
    co_await out.publish(p.subject.str(), p.payload, options, tag);
  }
  co_await out.wait_all();
  for (const auto& outcome : *outcomes) {
    if (!outcome.error) co_await check_place(*state, known, outcome.ack);
  }
  co_return std::move(*outcomes);
}

event_subscription start(state_ptr state, std::string subject, handler h, const delivery_options& options) {
  if (const auto problem = check(options)) throw_fault(*problem);
  auto core = std::make_shared<subscription_core>(std::move(state), std::move(subject), std::move(h), options);
  core->start();
  return event_subscription(std::move(core));
}

}  // namespace

event_fabric::event_fabric(connection nc, const config& settings, fabric_event_handler on_event)
    : state_(make_state(std::move(nc), settings, std::move(on_event))) {}

awaitable<provision_report> event_fabric::provision(topology_mode mode) { return provision_stream(state_, mode); }

awaitable<jetstream::publish_ack> event_fabric::publish(const event_ref& ref) { return publish_one(state_, ref); }

awaitable<std::vector<jetstream::publish_outcome>> event_fabric::publish_all(std::span<const event_ref> refs,
                                                                             std::size_t window) {
  return publish_many(state_, refs, window);
}

event_subscription event_fabric::subscribe(std::string_view tenant, event_kind kind, handler h,
                                           const delivery_options& options) {
  return start(state_, comms_subject(tenant, kind).str(), std::move(h), options);
}

event_subscription event_fabric::subscribe_kind(event_kind kind, handler h, const delivery_options& options) {
  return start(state_, comms_wildcard_subject(kind).filter(), std::move(h), options);
}

awaitable<std::vector<std::string>> event_fabric::concrete_consumers(event_kind kind) {
  return find_concrete_consumers(state_->js, kind);
}

const config& event_fabric::settings() const noexcept { return state_->settings; }

boost::asio::any_io_executor event_fabric::get_executor() const noexcept { return state_->nc.get_executor(); }

}  // namespace compass_fabric::fabric
