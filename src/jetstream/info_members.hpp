// SPDX-License-Identifier: Apache-2.0
// The member lists of what the server reports; see members.hpp.
#pragma once

#include "jetstream/members.hpp"

#include <compass_fabric/jetstream/info.hpp>

namespace compass_fabric::jetstream {

template <>
struct members_of<stream_state> {
  static void visit(auto&& each) {
    each("messages", &stream_state::messages);
    each("bytes", &stream_state::bytes);
    each("first_seq", &stream_state::first_sequence);
    each("first_ts", &stream_state::first_time);
    each("last_seq", &stream_state::last_sequence);
    each("last_ts", &stream_state::last_time);
    each("consumer_count", &stream_state::consumers);
    each("num_subjects", &stream_state::subjects);
    each("num_deleted", &stream_state::deleted);
  }
};

template <>
struct members_of<replica_info> {
  static void visit(auto&& each) {
    each("name", &replica_info::name);
    each("current", &replica_info::current);
    each("offline", &replica_info::offline);
    each("active", &replica_info::active);
    each("lag", &replica_info::lag);
  }
};

template <>
struct members_of<cluster_info> {
  static void visit(auto&& each) {
    each("name", &cluster_info::name);
    each("leader", &cluster_info::leader);
    each("replicas", &cluster_info::replicas);
  }
};

template <>
struct members_of<stream_info> {
  static void visit(auto&& each) {
    each("config", &stream_info::config);
    each("created", &stream_info::created);
    each("state", &stream_info::state);
    each("cluster", &stream_info::cluster);
    each("domain", &stream_info::domain);
  }
};

template <>
struct members_of<sequence_info> {
  static void visit(auto&& each) {
    each("consumer_seq", &sequence_info::consumer_sequence);
    each("stream_seq", &sequence_info::stream_sequence);
    each("last_active", &sequence_info::last_active);
  }
};

template <>
struct members_of<consumer_info> {
  static void visit(auto&& each) {
    each("stream_name", &consumer_info::stream);
    each("name", &consumer_info::name);
    each("created", &consumer_info::created);
    each("config", &consumer_info::config);
    each("delivered", &consumer_info::delivered);
    each("ack_floor", &consumer_info::ack_floor);
    each("num_ack_pending", &consumer_info::ack_pending);
    each("num_redelivered", &consumer_info::redelivered);
    each("num_waiting", &consumer_info::waiting);
    each("num_pending", &consumer_info::pending);
    each("cluster", &consumer_info::cluster);
    each("push_bound", &consumer_info::push_bound);
    each("paused", &consumer_info::paused);
    each("pause_remaining", &consumer_info::pause_remaining);
  }
};

template <>
struct members_of<account_limits> {
  static void visit(auto&& each) {
    each("max_memory", &account_limits::max_memory);
    each("max_storage", &account_limits::max_storage);
    each("max_streams", &account_limits::max_streams);
    each("max_consumers", &account_limits::max_consumers);
    each("max_ack_pending", &account_limits::max_ack_pending);
  }
};

template <>
struct members_of<account_tier> {
  static void visit(auto&& each) {
    each("memory", &account_tier::memory);
    each("storage", &account_tier::storage);
    each("streams", &account_tier::streams);
    each("consumers", &account_tier::consumers);
    each("limits", &account_tier::limits);
  }
};

template <>
struct members_of<api_usage> {
  static void visit(auto&& each) {
    each("level", &api_usage::level);
    each("total", &api_usage::total);
    each("errors", &api_usage::errors);
  }
};

template <>
struct members_of<account_info> {
  static void visit(auto&& each) {
    each("memory", &account_info::memory);
    each("storage", &account_info::storage);
    each("streams", &account_info::streams);
    each("consumers", &account_info::consumers);
    each("limits", &account_info::limits);
    each("tiers", &account_info::tiers);
    each("domain", &account_info::domain);
    each("api", &account_info::api);
  }
};

template <>
struct members_of<publish_ack> {
  static void visit(auto&& each) {
    each("stream", &publish_ack::stream);
    each("seq", &publish_ack::sequence);
    each("duplicate", &publish_ack::duplicate);
    each("domain", &publish_ack::domain);
  }
};

}  // namespace compass_fabric::jetstream
