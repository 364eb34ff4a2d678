// SPDX-License-Identifier: Apache-2.0
// Writes listed structures as JSON: members that are not set are left out, unknown ones follow the known ones.
#pragma once

#include "jetstream/enum_texts.hpp"
#include "jetstream/members.hpp"
#include "jetstream/time_text.hpp"
#include "proto/json_writer.hpp"

#include <chrono>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace compass_fabric::jetstream::json {

using proto::json_writer;

template <class T>
bool is_set(const T&) noexcept {
  return true;
}
template <class T>
bool is_set(const std::optional<T>& value) noexcept {
  return value.has_value();
}
inline bool is_set(const std::string& value) noexcept { return !value.empty(); }
template <class T>
bool is_set(const std::vector<T>& value) noexcept {
  return !value.empty();
}
template <class T>
bool is_set(const std::map<std::string, T>& value) noexcept {
  return !value.empty();
}

template <class T>
  requires std::same_as<T, std::string> || std::is_arithmetic_v<T>
void write(json_writer& out, const T& value) {
  out.value(value);
}
inline void write(json_writer& out, std::chrono::nanoseconds value) {
  out.value(static_cast<std::int64_t>(value.count()));
}
inline void write(json_writer& out, timestamp value) { out.value(format_time(value)); }
template <class Enum>
  requires std::is_enum_v<Enum>
void write(json_writer& out, Enum value) {
  out.value(enum_text(value));
}

template <listed T>
void write(json_writer& out, const T& object);
template <class T>
void write(json_writer& out, const std::vector<T>& list);

template <class T>
void write(json_writer& out, const std::optional<T>& value) {
  if (value) {
    write(out, *value);
  } else {
    out.null();
  }
}

template <class T>
void write(json_writer& out, const std::vector<T>& list) {
  out.begin_array();
  for (const auto& entry : list) write(out, entry);
  out.end_array();
}

inline void write(json_writer& out, const std::map<std::string, std::string>& map) {
  out.begin_object();
  for (const auto& [key, value] : map) out.member(key, value);
  out.end_object();
}

/// The members of `object` into an object the caller has opened. A set member hides an unknown one of the same key.
template <listed T>
void write_members(json_writer& out, const T& object) {
  members_of<T>::visit([&](std::string_view key, auto member) {
    if (!is_set(object.*member)) return;
    out.key(key);
    write(out, object.*member);
  });
  if constexpr (keeps_unknown<T>) {
    for (const auto& [key, value] : object.unknown) {
      bool hidden = false;
      members_of<T>::visit([&, &k = key](std::string_view name, auto member) {
        hidden = hidden || (name == k && is_set(object.*member));
      });
      if (hidden) continue;
      out.key(key);
      out.raw(value);
    }
  }
}

template <listed T>
void write(json_writer& out, const T& object) {
  out.begin_object();
  write_members(out, object);
  out.end_object();
}

template <class T>
std::string text_of(const T& value) {
  std::string text;
  json_writer out(text);
  write(out, value);
  return text;
}

}  // namespace compass_fabric::jetstream::json
