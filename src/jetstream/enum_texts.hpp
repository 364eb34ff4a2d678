// SPDX-License-Identifier: Apache-2.0
// The server's texts of the policies, in the order of their enumerators; the first is the server's default, ack_policy
// included.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include <compass_fabric/jetstream/policies.hpp>

namespace compass_fabric::jetstream {

template <class Enum>
inline constexpr std::array<const char*, 0> enum_texts{};

template <>
inline constexpr std::array enum_texts<retention_policy>{"limits", "interest", "workqueue"};
template <>
inline constexpr std::array enum_texts<storage_type>{"file", "memory"};
template <>
inline constexpr std::array enum_texts<discard_policy>{"old", "new"};
template <>
inline constexpr std::array enum_texts<store_compression>{"none", "s2"};
template <>
inline constexpr std::array enum_texts<deliver_policy>{
    "all", "last", "new", "by_start_sequence", "by_start_time", "last_per_subject"};
template <>
inline constexpr std::array enum_texts<ack_policy>{"none", "all", "explicit", "flow_control"};
template <>
inline constexpr std::array enum_texts<replay_policy>{"instant", "original"};
template <>
inline constexpr std::array enum_texts<priority_policy>{"none", "overflow", "pinned_client", "prioritized"};

template <class Enum>
constexpr const char* enum_text(Enum value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < enum_texts<Enum>.size() ? enum_texts<Enum>[index] : "unknown";
}

/// The enumerator of a text; nothing for one this library does not know.
template <class Enum>
constexpr std::optional<Enum> enum_value(std::string_view text) noexcept {
  for (std::size_t index = 0; index != enum_texts<Enum>.size(); ++index) {
    if (text == enum_texts<Enum>[index]) return static_cast<Enum>(index);
  }
  return std::nullopt;
}

}  // namespace compass_fabric::jetstream
