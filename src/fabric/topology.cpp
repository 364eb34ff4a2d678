// SPDX-License-Identifier: Apache-2.0
#include "fabric/topology.hpp"

#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/jetstream/error.hpp>

#include <optional>

namespace compass_fabric::fabric {
namespace {

using boost::asio::awaitable;

awaitable<std::optional<jetstream::stream_info>> find_stream(jetstream::context js) {
  try {
    co_return co_await js.stream_info(comms_stream_name);
  } catch (const system_error& e) {
    if (e.code() != jetstream::errc::stream_not_found) throw;
  }
  co_return std::nullopt;
}

void refuse_mismatch(std::string_view what, const std::vector<jetstream::config_difference>& differences) {
  if (differences.empty()) return;
  throw_fault({errc::topology_mismatch, std::string(what) + ": " + describe(differences)});
}

void refuse_missing(std::string_view what) { throw_fault({errc::topology_mismatch, std::string(what) + ": missing"}); }

/// True when the server said that it cannot place so many replicas, not that something else is wrong.
bool replicas_refused(const jetstream::api_error& e) {
  constexpr int no_suitable_peers = 10005;
  return e.err_code() == no_suitable_peers || e.err_code() == jetstream::code::replicas_not_supported ||
         e.err_code() == jetstream::code::insufficient_resources;
}

std::string consumer_label(std::string_view subject) { return "consumer of " + std::string(subject); }

}  // namespace

awaitable<std::optional<jetstream::consumer_info>> find_consumer(jetstream::context js, std::string_view durable) {
  try {
    co_return co_await js.consumer_info(comms_stream_name, durable);
  } catch (const system_error& e) {
    if (e.code() != jetstream::errc::consumer_not_found) throw;
  }
  co_return std::nullopt;
}

jetstream::stream_config declared_stream(const config& settings) {
  jetstream::stream_config declared;
  declared.name = comms_stream_name;
  declared.description = "references to changed rows; the rows are in the database";
  declared.subjects = {std::string(comms_stream_subjects)};
  declared.retention = jetstream::retention_policy::limits;
  declared.storage = jetstream::storage_type::file;
  declared.discard = jetstream::discard_policy::old_messages;
  declared.max_age = settings.max_age;
  declared.duplicate_window = settings.duplicate_window;
  declared.max_messages = settings.max_messages < 0 ? -1 : settings.max_messages;
  declared.max_bytes = settings.max_bytes < 0 ? -1 : settings.max_bytes;
  return declared;
}

jetstream::consumer_config declared_consumer(const config& settings, std::string_view subject) {
  jetstream::consumer_config declared;
  declared.name = durable_name(subject);
  declared.description = "comms events of " + std::string(subject);
  declared.filter_subject = subject;
  declared.deliver_policy = jetstream::deliver_policy::all;
  declared.ack_policy = jetstream::ack_policy::explicit_ack;
  declared.ack_wait = settings.ack_wait;
  declared.max_deliver = settings.max_deliver;
  declared.max_ack_pending = settings.max_ack_pending;
  declared.replicas = 0;
  return declared;
}

int wanted_replicas(replica_count replicas, bool clustered) {
  switch (replicas) {
    case replica_count::one: return 1;
    case replica_count::three: return 3;
    case replica_count::automatic: break;
  }
  return clustered ? 3 : 1;
}

std::string describe(const std::vector<jetstream::config_difference>& differences) {
  std::string line;
  for (const auto& d : differences) {
    if (!line.empty()) line += "; ";
    line.append(d.field).append(" is ").append(d.found).append(", declared ").append(d.wanted);
  }
  return line;
}

namespace {

awaitable<provision_report> apply_stream(const fabric_state& state, bool exists) {
  auto js = state.js;
  auto declared = declared_stream(state.settings);
  declared.replicas = wanted_replicas(state.settings.replicas, !state.nc.info().cluster.empty());
  provision_report report;
  std::string refusal;
  try {
    report.stream = co_await js.create_or_update_stream(declared);
    co_return report;
  } catch (const jetstream::api_error& e) {
    // An existing stream is never scaled down because a server is away today.
    if (exists || state.settings.replicas != replica_count::automatic || !replicas_refused(e)) throw;
    refusal = e.description();
  }
  declared.replicas = 1;
  report.stream = co_await js.create_or_update_stream(declared);
  report.fell_back = true;
  state.emit({.kind = fabric_event_kind::replicas_fallback, .text = refusal, .count = 1});
  co_return report;
}

}  // namespace

awaitable<provision_report> ensure_stream(const fabric_state& state, topology_mode mode) {
  auto found = co_await find_stream(state.js);
  if (mode == topology_mode::apply || (mode == topology_mode::verify_or_apply && !found)) {
    co_return co_await apply_stream(state, found.has_value());
  }
  const auto label = "stream " + std::string(comms_stream_name);
  if (!found) refuse_missing(label);
  auto declared = declared_stream(state.settings);
  // Automatic takes what another process chose, fallback included.
  if (state.settings.replicas != replica_count::automatic) {
    declared.replicas = wanted_replicas(state.settings.replicas, false);
  }
  refuse_mismatch(label, jetstream::differences(declared, found->config));
  provision_report report;
  report.stream = std::move(*found);
  co_return report;
}

awaitable<void> ensure_consumer(const fabric_state& state, std::string_view subject, topology_mode mode) {
  auto js = state.js;
  const auto declared = declared_consumer(state.settings, subject);
  if (mode != topology_mode::apply) {
    const auto found = co_await find_consumer(js, declared.name);
    if (!found && mode == topology_mode::verify) refuse_missing(consumer_label(subject));
    if (found) {
      refuse_mismatch(consumer_label(subject), jetstream::differences(declared, found->config));
      co_return;
    }
  }
  co_await js.create_or_update_consumer(comms_stream_name, declared);
}

}  // namespace compass_fabric::fabric
