// SPDX-License-Identifier: Apache-2.0
// The subject grammar as types: the one place that spells the fabric's subjects. Each type is built from checked parts
// and parsed back to them. The two wildcard types name what to subscribe to and have no text a publish would accept.
//
//   comms_subject subject("tenant-a", event_kind::message_posted);   // throws system_error for a bad tenant
//   if (auto s = comms_subject::parse(text)) use(s->tenant(), s->kind());
#pragma once

#include <compass_fabric/fabric/event_kind.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::fabric {

/// Everything the comms stream stores: four tokens, tenant and kind open.
inline constexpr std::string_view comms_stream_subjects = "compass.*.comms.*";
/// Where parked events are copied to, over core NATS.
inline constexpr std::string_view dlq_subject = "compass.dlq.comms";
/// Where Runners report, over core NATS; Servers subscribe under `runner_events_queue`.
inline constexpr std::string_view runner_events_subject = "compass.runner.events";
/// The queue group that hands each Runner event to exactly one Server.
inline constexpr std::string_view runner_events_queue = "compass-runner-events";
/// The runner id that is refused: its command subject would be stored by the comms stream.
inline constexpr std::string_view reserved_runner_id = "comms";

/// The subject of one kind of event of one tenant. Server to Servers, stored by the comms stream.
class comms_subject {
 public:
  /// Errors (thrown): `invalid_token` names the tenant and the rule; `unknown_kind`.
  comms_subject(std::string_view tenant, event_kind kind);
  /// The parts of `text`, or nothing when it is not such a subject.
  static std::optional<comms_subject> parse(std::string_view text);

  std::string_view tenant() const noexcept;
  event_kind kind() const noexcept { return kind_; }
  /// The subject to publish or subscribe to.
  const std::string& str() const noexcept { return text_; }

 private:
  std::string text_;
  event_kind kind_;
};

/// One kind of event of every tenant; subscribe side only.
class comms_wildcard_subject {
 public:
  /// Errors (thrown): `unknown_kind`.
  explicit comms_wildcard_subject(event_kind kind);
  static std::optional<comms_wildcard_subject> parse(std::string_view text);

  event_kind kind() const noexcept { return kind_; }
  /// The filter to subscribe with.
  const std::string& filter() const noexcept { return filter_; }

 private:
  std::string filter_;
  event_kind kind_;
};

/// Commands to one Runner, over core NATS.
class runner_command_subject {
 public:
  /// Errors (thrown): `invalid_token`; `reserved_token` for the id `comms`.
  explicit runner_command_subject(std::string_view runner_id);
  static std::optional<runner_command_subject> parse(std::string_view text);

  std::string_view runner_id() const noexcept;
  const std::string& str() const noexcept { return text_; }

 private:
  std::string text_;
};

/// One live client connection, over core NATS; outside the root the comms stream captures.
class client_subject {
 public:
  /// Errors (thrown): `invalid_token`.
  explicit client_subject(std::string_view session_id);
  static std::optional<client_subject> parse(std::string_view text);

  std::string_view session_id() const noexcept;
  const std::string& str() const noexcept { return text_; }

 private:
  std::string text_;
};

/// Invalidation of one tenant's bindings, over core NATS, to every Server. The literal stands before the tenant so that
/// no tenant makes a subject the comms stream captures.
class routing_binding_subject {
 public:
  /// Errors (thrown): `invalid_token`.
  explicit routing_binding_subject(std::string_view tenant);
  static std::optional<routing_binding_subject> parse(std::string_view text);

  std::string_view tenant() const noexcept;
  const std::string& str() const noexcept { return text_; }

 private:
  std::string text_;
};

/// Invalidations of every tenant's bindings; subscribe side only.
class routing_binding_wildcard_subject {
 public:
  routing_binding_wildcard_subject();
  static std::optional<routing_binding_wildcard_subject> parse(std::string_view text);

  /// The filter to subscribe with.
  const std::string& filter() const noexcept { return filter_; }

 private:
  std::string filter_;
};

}  // namespace compass_fabric::fabric
