// SPDX-License-Identifier: Apache-2.0
#include "jetstream/config_json.hpp"

#include "jetstream/json_fields.hpp"

namespace compass_fabric::jetstream {

namespace {

using metadata_map = std::map<std::string, std::string>;

/// Server-owned keys are kept as they were found, so that an update does not look like an attempt to remove them.
void keep_server_metadata(metadata_map& target, const metadata_map& found) {
  for (const auto& [key, value] : found) {
    if (key.starts_with("_nats")) target.insert_or_assign(key, value);
  }
}

template <class Config>
Config merge(const Config& wanted, const Config& found) {
  auto result = found;
  members_of<Config>::visit([&](std::string_view, auto member) {
    if (json::is_set(wanted.*member)) result.*member = wanted.*member;
  });
  for (const auto& [key, value] : wanted.unknown) result.unknown.insert_or_assign(key, value);
  keep_server_metadata(result.metadata, found.metadata);
  return result;
}

}  // namespace

std::string to_json(const stream_config& config) { return json::text_of(config); }

std::string to_json(const consumer_config& config) {
  std::string text;
  json::json_writer out(text);
  out.begin_object();
  if (config.durable) out.member("durable_name", config.name);
  json::write_members(out, config);
  out.end_object();
  return text;
}

stream_config merged(const stream_config& wanted, const stream_config& found) { return merge(wanted, found); }

consumer_config merged(const consumer_config& wanted, const consumer_config& found) {
  auto result = merge(wanted, found);
  // One filter and several exclude each other: the kind that was not asked for goes.
  if (!wanted.filter_subject.empty()) result.filter_subjects.clear();
  if (!wanted.filter_subjects.empty()) result.filter_subject.clear();
  // The server replaces ack_wait by the first backoff; sending the old one along would contradict a new list.
  if (!wanted.backoff.empty() && !wanted.ack_wait) result.ack_wait.reset();
  return result;
}

}  // namespace compass_fabric::jetstream
