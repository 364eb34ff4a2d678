// SPDX-License-Identifier: Apache-2.0
// A running subscription of the event fabric, and its options.
//
//   event_subscription sub = fabric.subscribe("tenant-a", kind, handle);
//   co_await sub.ready();
//   ...
//   co_await sub.stop();   // the running handler finishes, the rest is handed back (or parked, in its last delivery)
#pragma once

#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/fabric/retry_policy.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

namespace compass_fabric::fabric {

class subscription_core;

/// How one process takes part in a subscription; what all processes share is in `config`.
struct delivery_options {
  /// Handlers that may run at once, 1 or more. With 1, events are handled one after another in the order the stream
  /// delivers them; a retried event comes after later ones all the same.
  std::size_t max_in_flight = 1;
  /// Events in hand at most, running ones included. Those that wait are kept from being delivered again. Never above
  /// the consumer's `max_ack_pending`.
  std::size_t prefetch = 64;
  retry_policy retry;
  /// How long the lease of a running handler is renewed, so that a slow one is not taken for a hang. Zero: never. Only
  /// a coroutine can be renewed: a plain handler blocks the executor.
  std::chrono::milliseconds progress_cap{0};
  /// Lifetime of one pull at the server: how long a process that fell silent can still be sent events. At least 100 ms.
  std::chrono::milliseconds pull_expiry{5000};
  /// How often the shared consumer's configuration is compared with the declared one; also done at the start. Zero:
  /// only then.
  std::chrono::milliseconds drift_interval{60'000};
  /// What to do when the consumer is missing or differs.
  topology_mode mode = topology_mode::apply;
};

/// Handle of a subscription. Move-only; destroying it ends it: handlers that are coroutines are cancelled, everything
/// unanswered is handed back.
///
/// Threads: use on the connection's executor only. Destroying it elsewhere is safe.
/// Lifetime: holds the connection; may outlive the fabric, and the io_context as a connection may.
class event_subscription {
 public:
  event_subscription() noexcept = default;
  explicit event_subscription(std::shared_ptr<subscription_core> core) noexcept;
  event_subscription(event_subscription&&) noexcept = default;
  event_subscription& operator=(event_subscription&& other) noexcept;
  ~event_subscription();

  /// Waits until the consumer exists and events flow.
  ///
  /// Cancellation: any type ends the wait only.
  /// Errors: why it could not start: `topology_mismatch`, the stream is missing, JetStream's and the client's errors.
  boost::asio::awaitable<void> ready();

  /// Stops taking events, waits for running handlers, hands back (nak) what no handler has seen, and flushes the
  /// answers. Handlers still running after `timeout` are cancelled and their events handed back. An event in its last
  /// delivery is parked instead: the server would give it up, and perhaps nobody would hear of it.
  ///
  /// Cancellation: any type ends the wait only; it stops all the same.
  boost::asio::awaitable<void> stop(std::chrono::milliseconds timeout = std::chrono::seconds(30));

  /// Waits until it has ended and returns why; no error after `stop`.
  boost::asio::awaitable<error_code> closed();

  /// The subject it subscribes to and the name of its durable consumer; valid as long as this handle.
  std::string_view subject() const noexcept;
  std::string_view durable() const noexcept;
  delivery_stats stats() const;

 private:
  std::shared_ptr<subscription_core> core_;
};

}  // namespace compass_fabric::fabric
