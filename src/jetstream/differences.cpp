// SPDX-License-Identifier: Apache-2.0
// Compares a wanted configuration with one read from the server, which fills defaults and adds metadata of its own.
#include <algorithm>

#include <compass_fabric/jetstream/config.hpp>

#include "jetstream/json_fields.hpp"

namespace compass_fabric::jetstream {

namespace {

using metadata_map = std::map<std::string, std::string>;

template <listed T>
bool fulfils(const T& wanted, const T& found);

/// A default written out and a default left out are the same: false, zero, the first enumerator.
template <class T>
bool is_default(const T& value) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
    return value == T{};
  } else if constexpr (std::same_as<T, std::chrono::nanoseconds>) {
    return value.count() == 0;
  } else {
    return false;
  }
}

template <class T>
bool same(const T& wanted, const T& found) {
  if constexpr (listed<T>) {
    return fulfils(wanted, found);
  } else {
    return wanted == found;
  }
}

template <class T>
bool same(const std::optional<T>& wanted, const std::optional<T>& found) {
  return found ? same(*wanted, *found) : is_default(*wanted);
}

/// Counts: 0 is another way to say -1.
bool same(const std::optional<std::int64_t>& wanted, const std::optional<std::int64_t>& found) {
  const auto limit = [](std::int64_t n) { return n == 0 ? -1 : n; };
  return limit(*wanted) == limit(found.value_or(0));
}

/// The server may list subjects, filters and sources in another order; every wanted one needs a partner of its own.
template <class T>
bool same(const std::vector<T>& wanted, const std::vector<T>& found) {
  if (wanted.size() != found.size()) return false;
  std::vector<bool> taken(found.size());
  return std::all_of(wanted.begin(), wanted.end(), [&](const T& entry) {
    for (std::size_t i = 0; i != found.size(); ++i) {
      if (taken[i] || !same(entry, found[i])) continue;
      taken[i] = true;
      return true;
    }
    return false;
  });
}

bool same(const std::vector<std::chrono::nanoseconds>& wanted, const std::vector<std::chrono::nanoseconds>& found) {
  return wanted == found;  // a backoff list is an order
}

metadata_map without_server_keys(metadata_map metadata) {
  std::erase_if(metadata, [](const auto& entry) { return entry.first.starts_with("_nats"); });
  return metadata;
}

bool same(const metadata_map& wanted, const metadata_map& found) {
  return without_server_keys(wanted) == without_server_keys(found);
}

template <listed T>
bool fulfils(const T& wanted, const T& found) {
  bool all = true;
  members_of<T>::visit([&](std::string_view, auto member) {
    all = all && (!json::is_set(wanted.*member) || same(wanted.*member, found.*member));
  });
  for (const auto& [key, value] : wanted.unknown) {
    const auto at = found.unknown.find(key);
    all = all && at != found.unknown.end() && at->second == value;
  }
  return all;
}

template <class T>
std::string shown(const T& value) {
  return json::is_set(value) ? json::text_of(value) : "unset";
}

/// Zero here asks for a default that only the server knows, and `pause_until` counts at creation only.
bool left_to_server(std::string_view key, const std::string& wanted) {
  constexpr std::string_view zero_is_default[] = {"max_waiting", "max_ack_pending", "duplicate_window",
                                                  "ack_wait",    "num_replicas",    "inactive_threshold"};
  if (key == "pause_until") return true;
  return wanted == "0" && std::ranges::find(zero_is_default, key) != std::end(zero_is_default);
}

template <class Config>
std::vector<config_difference> compare(const Config& wanted, const Config& found) {
  std::vector<config_difference> result;
  members_of<Config>::visit([&](std::string_view key, auto member) {
    if (!json::is_set(wanted.*member) || same(wanted.*member, found.*member)) return;
    auto text = json::text_of(wanted.*member);
    if (left_to_server(key, text)) return;
    result.push_back({std::string(key), std::move(text), shown(found.*member)});
  });
  for (const auto& [key, value] : wanted.unknown) {
    const auto at = found.unknown.find(key);
    if (at != found.unknown.end() && at->second == value) continue;
    result.push_back({key, value, at == found.unknown.end() ? "unset" : at->second});
  }
  return result;
}

}  // namespace

std::vector<config_difference> differences(const stream_config& wanted, const stream_config& found) {
  return compare(wanted, found);
}

std::vector<config_difference> differences(const consumer_config& wanted, const consumer_config& found) {
  auto result = compare(wanted, found);
  if (wanted.durable != found.durable) {
    result.push_back({"durable", wanted.durable ? "true" : "false", found.durable ? "true" : "false"});
  }
  // The server sets ack_wait to the first backoff.
  if (!wanted.backoff.empty()) std::erase_if(result, [](const auto& d) { return d.field == "ack_wait"; });
  // The kind of filter that was not asked for must not be there either.
  if (!wanted.filter_subject.empty() && !found.filter_subjects.empty()) {
    result.push_back({"filter_subjects", "unset", shown(found.filter_subjects)});
  }
  if (!wanted.filter_subjects.empty() && !found.filter_subject.empty()) {
    result.push_back({"filter_subject", "unset", shown(found.filter_subject)});
  }
  return result;
}

}  // namespace compass_fabric::jetstream
