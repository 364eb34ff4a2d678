// SPDX-License-Identifier: Apache-2.0
// What most client tests need: options that reconnect quickly, and a record of events.
#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <catch2/catch_test_macros.hpp>
#include <compass_fabric/compass_fabric.hpp>

#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/fault_proxy.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include <compass_fabric/testing/run.hpp>
#include "support/byte_peer.hpp"

namespace compass_fabric::testing {

namespace asio = boost::asio;
using namespace std::chrono_literals;

/// Every event of a connection, shared with its handler.
class event_log {
 public:
  event_handler handler() const {
    return [events = events_](const connection_event& e) { events->push_back(e); };
  }
  std::size_t count(event_kind kind) const {
    return static_cast<std::size_t>(
        std::count_if(events_->begin(), events_->end(), [&](const connection_event& e) { return e.kind == kind; }));
  }
  /// All events of this kind so far.
  std::vector<connection_event> of(event_kind kind) const {
    std::vector<connection_event> found;
    std::copy_if(events_->begin(), events_->end(), std::back_inserter(found),
                 [&](const connection_event& e) { return e.kind == kind; });
    return found;
  }
  /// The servers of all events of this kind, each followed by a blank.
  std::string servers_of(event_kind kind) const {
    std::string all;
    for (const auto& e : of(kind)) all += e.server + " ";
    return all;
  }
  bool has(event_kind kind) const { return count(kind) != 0; }
  /// The last event of this kind; the test fails when there is none.
  connection_event last(event_kind kind) const {
    const auto found = std::find_if(events_->rbegin(), events_->rend(), [&](const auto& e) { return e.kind == kind; });
    REQUIRE(found != events_->rend());
    return *found;
  }

 private:
  std::shared_ptr<std::vector<connection_event>> events_ = std::make_shared<std::vector<connection_event>>();
};

/// Options for one server, with short pauses between attempts.
inline connect_options options_for(std::string url) {
  connect_options o;
  o.servers = {std::move(url)};
  o.connect_timeout = 5s;
  o.reconnect.initial_delay = 10ms;
  o.reconnect.max_delay = 100ms;
  o.reconnect.jitter = 10ms;
  return o;
}

/// The code an operation ends with; no error when it succeeds.
template <class T>
asio::awaitable<error_code> code_of(asio::awaitable<T> operation) {
  const auto result = co_await as_result(std::move(operation));
  co_return result.has_error() ? result.error() : error_code();
}

/// What the exception of a failing operation says; empty when it succeeds.
template <class T>
asio::awaitable<std::string> text_of(asio::awaitable<T> operation) {
  try {
    co_await std::move(operation);
  } catch (const std::exception& e) {
    co_return e.what();
  }
  co_return std::string();
}

}  // namespace compass_fabric::testing
