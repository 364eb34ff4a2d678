// SPDX-License-Identifier: Apache-2.0
// One list of JSON members per structure. Reading, writing, comparing and merging all go by these lists, so that a
// member cannot be read and then forgotten on the way back.
//
//   members_of<placement>::visit([](std::string_view key, auto member) { ... });   // member: pointer to data member
#pragma once

#include <string_view>

#include <compass_fabric/jetstream/config.hpp>

namespace compass_fabric::jetstream {

template <class T>
struct members_of;

/// A structure with a list of members.
template <class T>
concept listed = requires { sizeof(members_of<T>); };

/// A listed structure that keeps the members it does not know.
template <class T>
concept keeps_unknown = listed<T> && requires(T object) { object.unknown; };

template <>
struct members_of<placement> {
  static void visit(auto&& each) {
    each("cluster", &placement::cluster);
    each("tags", &placement::tags);
  }
};

template <>
struct members_of<subject_transform> {
  static void visit(auto&& each) {
    each("src", &subject_transform::source);
    each("dest", &subject_transform::destination);
  }
};

template <>
struct members_of<external_stream> {
  static void visit(auto&& each) {
    each("api", &external_stream::api_prefix);
    each("deliver", &external_stream::deliver_prefix);
  }
};

template <>
struct members_of<stream_source> {
  static void visit(auto&& each) {
    each("name", &stream_source::name);
    each("opt_start_seq", &stream_source::start_sequence);
    each("opt_start_time", &stream_source::start_time);
    each("filter_subject", &stream_source::filter_subject);
    each("subject_transforms", &stream_source::subject_transforms);
    each("external", &stream_source::external);
  }
};

template <>
struct members_of<republish> {
  static void visit(auto&& each) {
    each("src", &republish::source);
    each("dest", &republish::destination);
    each("headers_only", &republish::headers_only);
  }
};

template <>
struct members_of<consumer_limits> {
  static void visit(auto&& each) {
    each("inactive_threshold", &consumer_limits::inactive_threshold);
    each("max_ack_pending", &consumer_limits::max_ack_pending);
  }
};

template <>
struct members_of<stream_config> {
  static void visit(auto&& each) {
    each("name", &stream_config::name);
    each("description", &stream_config::description);
    each("subjects", &stream_config::subjects);
    each("retention", &stream_config::retention);
    each("storage", &stream_config::storage);
    each("discard", &stream_config::discard);
    each("discard_new_per_subject", &stream_config::discard_new_per_subject);
    each("max_consumers", &stream_config::max_consumers);
    each("max_msgs", &stream_config::max_messages);
    each("max_msgs_per_subject", &stream_config::max_messages_per_subject);
    each("max_bytes", &stream_config::max_bytes);
    each("max_msg_size", &stream_config::max_message_size);
    each("max_age", &stream_config::max_age);
    each("num_replicas", &stream_config::replicas);
    each("no_ack", &stream_config::no_ack);
    each("duplicate_window", &stream_config::duplicate_window);
    each("placement", &stream_config::placement);
    each("mirror", &stream_config::mirror);
    each("sources", &stream_config::sources);
    each("compression", &stream_config::compression);
    each("first_seq", &stream_config::first_sequence);
    each("subject_transform", &stream_config::subject_transform);
    each("republish", &stream_config::republish);
    each("allow_direct", &stream_config::allow_direct);
    each("mirror_direct", &stream_config::mirror_direct);
    each("sealed", &stream_config::sealed);
    each("deny_delete", &stream_config::deny_delete);
    each("deny_purge", &stream_config::deny_purge);
    each("allow_rollup_hdrs", &stream_config::allow_rollup);
    each("allow_msg_ttl", &stream_config::allow_message_ttl);
    each("consumer_limits", &stream_config::consumer_limits);
    each("metadata", &stream_config::metadata);
  }
};

/// Without `durable`: on the wire it is a second name, `durable_name`.
template <>
struct members_of<consumer_config> {
  static void visit(auto&& each) {
    each("name", &consumer_config::name);
    each("description", &consumer_config::description);
    each("deliver_policy", &consumer_config::deliver_policy);
    each("opt_start_seq", &consumer_config::start_sequence);
    each("opt_start_time", &consumer_config::start_time);
    each("ack_policy", &consumer_config::ack_policy);
    each("ack_wait", &consumer_config::ack_wait);
    each("max_deliver", &consumer_config::max_deliver);
    each("backoff", &consumer_config::backoff);
    each("filter_subject", &consumer_config::filter_subject);
    each("filter_subjects", &consumer_config::filter_subjects);
    each("replay_policy", &consumer_config::replay_policy);
    each("max_waiting", &consumer_config::max_waiting);
    each("max_ack_pending", &consumer_config::max_ack_pending);
    each("headers_only", &consumer_config::headers_only);
    each("max_batch", &consumer_config::max_batch);
    each("max_expires", &consumer_config::max_expires);
    each("max_bytes", &consumer_config::max_bytes);
    each("inactive_threshold", &consumer_config::inactive_threshold);
    each("num_replicas", &consumer_config::replicas);
    each("mem_storage", &consumer_config::memory_storage);
    each("sample_freq", &consumer_config::sample_frequency);
    each("pause_until", &consumer_config::pause_until);
    each("priority_groups", &consumer_config::priority_groups);
    each("priority_policy", &consumer_config::priority_policy);
    each("priority_timeout", &consumer_config::priority_timeout);
    each("metadata", &consumer_config::metadata);
  }

  /// Takes `durable_name` out of what was kept as unknown: it makes the consumer durable, and names it when nothing
  /// else does. Names hold no character that JSON escapes.
  static void after_read(consumer_config& config) {
    const auto found = config.unknown.extract("durable_name");
    config.durable = !found.empty() && found.mapped().size() > 2 && found.mapped().front() == '"';
    if (config.durable && config.name.empty()) config.name = found.mapped().substr(1, found.mapped().size() - 2);
  }
};

}  // namespace compass_fabric::jetstream
