// SPDX-License-Identifier: Apache-2.0
// What the fabric's tests against a real server share.
#pragma once

#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include <compass_fabric/testing/run.hpp>

#include <compass_fabric/async.hpp>
#include <compass_fabric/connection.hpp>
#include <compass_fabric/fabric/fabric.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace fabric_live {

using namespace std::chrono_literals;
using boost::asio::awaitable;
using compass_fabric::connection;
using compass_fabric::fabric::event_fabric;
using compass_fabric::fabric::event_ref;
using compass_fabric::fabric::fabric_event;
using compass_fabric::fabric::fabric_event_kind;
using compass_fabric::testing::eventually;
using compass_fabric::testing::nats_server;
using compass_fabric::testing::run;
using compass_fabric::testing::until;
using kind = compass_fabric::fabric::event_kind;
namespace fabric = compass_fabric::fabric;
namespace jetstream = compass_fabric::jetstream;

inline event_ref ref(std::string tenant, kind k, std::string row) {
  return {std::move(tenant), k, std::move(row), std::nullopt};
}

/// The specification's values but for an ack wait that a test can wait for.
inline fabric::config quick(std::chrono::milliseconds ack_wait = 1s) {
  fabric::config settings;
  settings.ack_wait = ack_wait;
  return settings;
}

/// Publishes rows "0", "1", ... of one tenant and kind.
inline awaitable<void> publish_rows(event_fabric events, std::string tenant, kind k, std::size_t count) {
  std::vector<event_ref> refs;
  for (std::size_t row = 0; row != count; ++row) refs.push_back(ref(tenant, k, std::to_string(row)));
  const auto outcomes = co_await events.publish_all(refs);
  for (const auto& outcome : outcomes) {
    if (outcome.error) throw compass_fabric::system_error(outcome.error, outcome.description);
  }
}

inline awaitable<void> pause(std::chrono::milliseconds time) {
  boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor, time);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

/// Keeps the events of a fabric.
class event_log {
 public:
  fabric::fabric_event_handler handler() {
    return [this](const fabric_event& e) { events_.push_back(e); };
  }
  std::size_t count(fabric_event_kind k) const {
    return static_cast<std::size_t>(
        std::count_if(events_.begin(), events_.end(), [&](const auto& e) { return e.kind == k; }));
  }
  /// The last event of that kind; a default one when there is none.
  fabric_event last(fabric_event_kind k) const {
    const auto found = std::find_if(events_.rbegin(), events_.rend(), [&](const auto& e) { return e.kind == k; });
    return found == events_.rend() ? fabric_event{.kind = k} : *found;
  }

 private:
  std::vector<fabric_event> events_;
};

/// Collects what arrives on a core subject, such as the dead letters.
class tap {
 public:
  tap(connection& nc, std::string_view subject)
      : sub_(nc.subscribe(subject, [this](const compass_fabric::message_view& m) { seen_.emplace_back(m); })) {}

  const std::vector<compass_fabric::message>& seen() const { return seen_; }
  std::size_t size() const { return seen_.size(); }
  std::string header(std::size_t index, std::string_view name) const {
    return std::string(seen_.at(index).headers().get(name).value_or("(absent)"));
  }

 private:
  std::vector<compass_fabric::message> seen_;
  compass_fabric::subscription sub_;
};

/// Counts how often each row was handled.
class tally {
 public:
  void operator()(const fabric::event& e) { ++runs_[e.ref.tenant + "/" + e.ref.row_id]; }
  std::size_t rows() const { return runs_.size(); }
  std::size_t total() const {
    std::size_t sum = 0;
    for (const auto& [row, runs] : runs_) sum += runs;
    return sum;
  }
  std::size_t runs(const std::string& row) const { return runs_.contains(row) ? runs_.at(row) : 0; }
  const std::map<std::string, std::size_t>& all() const { return runs_; }

 private:
  std::map<std::string, std::size_t> runs_;
};

}  // namespace fabric_live
