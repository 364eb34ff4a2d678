// SPDX-License-Identifier: Apache-2.0
// A connection's events as a stream to await, beside handlers.
//
//   event_stream events = nc.events();
//   while (nc.state() != connection_state::closed) log(to_string(co_await events.next(1h)));
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/connection_event.hpp>

namespace compass_fabric {

namespace client {
class event_queue;
}

/// Handle of one queue of events, from its making on. Copies share the queue: each event goes to one of them.
///
/// Threads: use on the connection's executor only. Lifetime: may outlive the connection.
class event_stream {
 public:
  event_stream() noexcept = default;
  explicit event_stream(std::shared_ptr<client::event_queue> queue) noexcept : queue_(std::move(queue)) {}

  /// Waits for the next event; `closed` is the last one.
  ///
  /// Cancellation: any type; no event is lost.
  /// Errors: `timeout`; `connection_closed` once the last event was taken.
  boost::asio::awaitable<connection_event> next(std::chrono::milliseconds timeout);
  /// The next event if one waits, without suspending.
  std::optional<connection_event> try_next();
  /// Events given up because the queue was full; the oldest go first.
  std::uint64_t dropped() const noexcept;

 private:
  std::shared_ptr<client::event_queue> queue_;
};

}  // namespace compass_fabric
