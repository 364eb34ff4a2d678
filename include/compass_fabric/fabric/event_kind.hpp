// SPDX-License-Identifier: Apache-2.0
// The seven comms kinds: the last token of a comms subject.
//
//   static_assert(to_string(event_kind::message_posted) == "message_posted");
//   static_assert(parse_event_kind("topic_upserted") == event_kind::topic_upserted);
#pragma once

#include <compass_fabric/fabric/subject_token.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace compass_fabric::fabric {

/// What changed. The set is closed: no other kind can be published or subscribed to.
enum class event_kind : std::uint8_t {
  account_changed,
  channel_group_changed,
  channel_changed,
  agent_workspace_changed,
  message_posted,
  message_updated,
  topic_upserted,
};

/// Every kind with its spelling on the wire, in enum order.
inline constexpr std::array<std::string_view, 7> event_kind_names{
    "account_changed", "channel_group_changed", "channel_changed", "agent_workspace_changed",
    "message_posted",  "message_updated",       "topic_upserted",
};

/// The spelling on the wire; empty for a value outside the enum.
constexpr std::string_view to_string(event_kind kind) noexcept {
  const auto index = static_cast<std::size_t>(kind);
  return index < event_kind_names.size() ? event_kind_names[index] : std::string_view{};
}

/// The kind spelled `name`, exactly; nothing for any other text.
constexpr std::optional<event_kind> parse_event_kind(std::string_view name) noexcept {
  for (std::size_t i = 0; i != event_kind_names.size(); ++i) {
    if (event_kind_names[i] == name) return static_cast<event_kind>(i);
  }
  return std::nullopt;
}

/// True when `kind` is one of the seven, false for a cast from elsewhere.
constexpr bool valid_event_kind(event_kind kind) noexcept { return !to_string(kind).empty(); }

/// The fault of code `unknown_kind`, naming the field and the kinds there are.
fault unknown_kind_fault();

static_assert(
    [] {
      for (const auto name : event_kind_names) {
        if (!valid_subject_token(name)) return false;
      }
      return true;
    }(),
    "every kind is one legal subject token");

}  // namespace compass_fabric::fabric
