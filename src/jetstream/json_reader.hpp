// SPDX-License-Identifier: Apache-2.0
// Fills listed structures from JSON: unknown members are kept or passed over, missing and null ones leave the default,
// and one of the wrong type is an error that names its path.
#pragma once

#include "jetstream/enum_texts.hpp"
#include "jetstream/members.hpp"
#include "jetstream/time_text.hpp"

#include <simdjson.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <compass_fabric/jetstream/error.hpp>

namespace compass_fabric::jetstream {

/// Where a value stands, for error texts; the chain lives on the stack of the readers.
struct json_path {
  const json_path* outer = nullptr;
  std::string_view key;

  std::string text() const;
};

/// Throws `errc::invalid_reply`: "<path>: <fault>".
[[noreturn]] void fail_reply(const json_path& path, std::string_view fault);

namespace json {

using simdjson::dom::element;
using simdjson::dom::object;

// Each `read` returns false for a value that is well typed but not understood; its member then counts as unknown.

template <class Wire>
Wire expect(const element& value, const json_path& path, std::string_view fault) {
  Wire found{};
  if (value.get(found) != simdjson::SUCCESS) fail_reply(path, fault);
  return found;
}

bool read(const element& value, std::string& out, const json_path& path);
bool read(const element& value, bool& out, const json_path& path);
bool read(const element& value, int& out, const json_path& path);
bool read(const element& value, std::int64_t& out, const json_path& path);
bool read(const element& value, std::uint64_t& out, const json_path& path);
bool read(const element& value, std::chrono::nanoseconds& out, const json_path& path);
bool read(const element& value, std::optional<timestamp>& out, const json_path& path);

template <class Enum>
  requires std::is_enum_v<Enum>
bool read(const element& value, Enum& out, const json_path& path) {
  const auto known = enum_value<Enum>(expect<std::string_view>(value, path, "not a text"));
  if (known) out = *known;
  return known.has_value();
}

template <listed T>
bool read(const element& value, T& out, const json_path& path);
template <class T>
bool read(const element& value, std::optional<T>& out, const json_path& path);
template <class T>
bool read(const element& value, std::vector<T>& out, const json_path& path);
template <class T>
bool read(const element& value, std::map<std::string, T>& out, const json_path& path);

template <class T>
bool read(const element& value, std::optional<T>& out, const json_path& path) {
  T content{};
  if (!read(value, content, path)) return false;
  out = std::move(content);
  return true;
}

template <class T>
bool read(const element& value, std::vector<T>& out, const json_path& path) {
  for (const element entry : expect<simdjson::dom::array>(value, path, "not a list")) {
    if (!read(entry, out.emplace_back(), path)) return false;
  }
  return true;
}

template <class T>
bool read(const element& value, std::map<std::string, T>& out, const json_path& path) {
  for (const auto& [key, entry] : expect<object>(value, path, "not an object")) {
    if (entry.is_null()) continue;
    if (!read(entry, out[std::string(key)], json_path{&path, key})) return false;
  }
  return true;
}

template <listed T>
bool read(const element& value, T& out, const json_path& path) {
  for (const auto& [key, entry] : expect<object>(value, path, "not an object")) {
    bool understood = false;
    members_of<T>::visit([&, k = key, e = entry](std::string_view name, auto member) {
      if (name != k) return;
      understood = e.is_null() || read(e, out.*member, json_path{&path, k});
    });
    if constexpr (keeps_unknown<T>) {
      if (!understood) out.unknown[std::string(key)] = simdjson::minify(entry);
    }
  }
  if constexpr (requires { members_of<T>::after_read(out); }) members_of<T>::after_read(out);
  return true;
}

}  // namespace json

}  // namespace compass_fabric::jetstream
