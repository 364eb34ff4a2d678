// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/fabric/subject.hpp>

namespace compass_fabric::fabric {
namespace {

constexpr std::string_view root = "compass.";
constexpr std::string_view comms_middle = ".comms.";
constexpr std::string_view comms_any_tenant = "compass.*.comms.";
constexpr std::string_view runner_root = "compass.runner.";
constexpr std::string_view runner_command_end = ".cmd";
constexpr std::string_view client_root = "client.";
constexpr std::string_view binding_root = "compass.routing.binding.";
constexpr std::string_view binding_any_tenant = "compass.routing.binding.*";

std::string_view checked_token(std::string_view field, std::string_view token) {
  if (const auto violation = check_subject_token(field, token)) throw_fault(*violation);
  return token;
}

std::string_view checked_name(event_kind kind) {
  if (!valid_event_kind(kind)) throw_fault(unknown_kind_fault());
  return to_string(kind);
}

std::string_view checked_runner(std::string_view runner_id) {
  if (runner_id == reserved_runner_id) {
    throw_fault({errc::reserved_token, "runner_id: 'comms' is reserved, the comms stream would store its commands"});
  }
  return checked_token("runner_id", runner_id);
}

std::string join(std::string_view a, std::string_view b, std::string_view c = {}, std::string_view d = {}) {
  std::string text;
  text.reserve(a.size() + b.size() + c.size() + d.size());
  text.append(a).append(b).append(c).append(d);
  return text;
}

/// The single token between `prefix` and `suffix`, or an empty view.
std::string_view token_between(std::string_view text, std::string_view prefix, std::string_view suffix = {}) {
  if (text.size() < prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix)) return {};
  const auto token = text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
  return valid_subject_token(token) ? token : std::string_view{};
}

}  // namespace

comms_subject::comms_subject(std::string_view tenant, event_kind kind)
    : text_(join(root, checked_token("tenant", tenant), comms_middle, checked_name(kind))), kind_(kind) {}

std::optional<comms_subject> comms_subject::parse(std::string_view text) {
  const auto kind = parse_event_kind(text.substr(text.rfind('.') + 1));
  if (!kind) return std::nullopt;
  text.remove_suffix(to_string(*kind).size());
  const auto tenant = token_between(text, root, comms_middle);
  if (tenant.empty()) return std::nullopt;
  return comms_subject(tenant, *kind);
}

std::string_view comms_subject::tenant() const noexcept {
  const auto fixed = root.size() + comms_middle.size() + to_string(kind_).size();
  return std::string_view(text_).substr(root.size(), text_.size() - fixed);
}

comms_wildcard_subject::comms_wildcard_subject(event_kind kind)
    : filter_(join(comms_any_tenant, checked_name(kind))), kind_(kind) {}

std::optional<comms_wildcard_subject> comms_wildcard_subject::parse(std::string_view text) {
  const auto kind = parse_event_kind(token_between(text, comms_any_tenant));
  if (!kind) return std::nullopt;
  return comms_wildcard_subject(*kind);
}

runner_command_subject::runner_command_subject(std::string_view runner_id)
    : text_(join(runner_root, checked_runner(runner_id), runner_command_end)) {}

std::optional<runner_command_subject> runner_command_subject::parse(std::string_view text) {
  const auto runner_id = token_between(text, runner_root, runner_command_end);
  if (runner_id.empty() || runner_id == reserved_runner_id) return std::nullopt;
  return runner_command_subject(runner_id);
}

std::string_view runner_command_subject::runner_id() const noexcept {
  return token_between(text_, runner_root, runner_command_end);
}

client_subject::client_subject(std::string_view session_id)
    : text_(join(client_root, checked_token("session_id", session_id))) {}

std::optional<client_subject> client_subject::parse(std::string_view text) {
  const auto session_id = token_between(text, client_root);
  if (session_id.empty()) return std::nullopt;
  return client_subject(session_id);
}

std::string_view client_subject::session_id() const noexcept { return token_between(text_, client_root); }

routing_binding_subject::routing_binding_subject(std::string_view tenant)
    : text_(join(binding_root, checked_token("tenant", tenant))) {}

std::optional<routing_binding_subject> routing_binding_subject::parse(std::string_view text) {
  const auto tenant = token_between(text, binding_root);
  if (tenant.empty()) return std::nullopt;
  return routing_binding_subject(tenant);
}

std::string_view routing_binding_subject::tenant() const noexcept { return token_between(text_, binding_root); }

routing_binding_wildcard_subject::routing_binding_wildcard_subject() : filter_(binding_any_tenant) {}

std::optional<routing_binding_wildcard_subject> routing_binding_wildcard_subject::parse(std::string_view text) {
  if (text != binding_any_tenant) return std::nullopt;
  return routing_binding_wildcard_subject();
}

}  // namespace compass_fabric::fabric
