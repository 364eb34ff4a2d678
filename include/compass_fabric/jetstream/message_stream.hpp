// SPDX-License-Identifier: Apache-2.0
// A continuous flow of messages from a pull consumer. It asks for more before it runs dry and heals by itself: after a
// reconnect, a leader change, missed heartbeats or a busy consumer it pulls again, and says so in an event.
//
//   jetstream::consume_options options;
//   options.max_messages = 100;
//   auto orders = js.consumer("ORDERS", "billing").consume(options);
//   while (orders.active())
//     if (auto m = co_await orders.next(1s)) { handle(*m); m->ack(); }
#pragma once

#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/jetstream/message.hpp>
#include <compass_fabric/jetstream/plain_handler.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace compass_fabric::jetstream {

class consume_core;

/// What happens to a flow. None of them needs an action, `ended` apart.
enum class consume_event_kind {
  /// A pull ended early and another follows; `error` says why: `missed_heartbeats`, `leadership_change`,
  /// `server_shutdown`, `too_many_pulls`, `unavailable` (503: no leader, or the consumer is gone), `refused`.
  pull_lost,
  /// The link is back and a new pull is out.
  resumed,
  /// The next message does not fit `max_bytes`; it is fetched alone, without that limit.
  message_too_large,
  /// The consumer is gone, and `on_missing` is wait: pulls go on until it is back.
  consumer_missing,
  /// The flow ended by itself with `error`: `consumer_deleted`, `push_consumer`, `pull_refused`, `connection_closed`.
  ended,
};

/// One event; `text` is the server's, for people.
struct consume_event {
  consume_event_kind kind;
  error_code error;
  std::string text;
};

const char* to_string(consume_event_kind kind) noexcept;

/// Receives events on the connection's executor. What it throws leaves through the executor's run function; the flow
/// goes on.
using consume_event_handler = plain_handler<void(const consume_event&)>;
/// Receives messages inside the connection's reader; what it does not answer is left to `ack_wait`. What it throws
/// leaves through the executor's run function; the message counts as taken, and the flow goes on.
using delivery_handler = plain_handler<void(message)>;

/// What a flow does when its consumer is deleted.
enum class missing_policy {
  /// It ends with `consumer_deleted`.
  end,
  /// It goes on asking, with growing pauses, until a consumer of that name is there again.
  wait,
};

/// Options of a flow.
struct consume_options {
  /// Messages asked for and not taken by `next` yet, at most. Keep it below the consumer's `max_ack_pending`, and so
  /// small that handling all of them takes less than `ack_wait`.
  std::size_t max_messages = 500;
  /// The same in bytes, subjects and headers included; 0 = no limit.
  std::size_t max_bytes = 0;
  /// Lifetime of one pull at the server: bounds what a dead client's pull can still claim. At least 100 ms.
  std::chrono::milliseconds expires{30000};
  /// Sign of life the server is asked for; two of them missed and the pull is given up. Zero: half of `expires`, at
  /// most 15 s. Never above half of `expires`, nor 24 hours.
  std::chrono::milliseconds idle_heartbeat{0};
  /// More is asked for when no more than this share of `max_messages` or `max_bytes` is left; percent, 0 to 99.
  int refill_percent = 50;
  missing_policy on_missing = missing_policy::end;
  consume_event_handler on_event;
};

/// How a flow is stopped.
enum class stop_mode {
  /// What has arrived can still be taken by `next`.
  drain,
  /// What has arrived is given back (nak), for another client to have at once.
  release,
};

/// Handle of a flow. Move-only; destroying it stops it with `release`.
///
/// Threads: use on the connection's executor only. Destroying it elsewhere is safe.
/// Lifetime: holds the connection; may outlive the io_context as a connection may, it has ended then.
class message_stream {
 public:
  message_stream() noexcept = default;
  explicit message_stream(std::shared_ptr<consume_core> core) noexcept;
  message_stream(message_stream&&) noexcept = default;
  message_stream& operator=(message_stream&& other) noexcept;
  ~message_stream();

  /// Waits for the next message; nothing when none came in time, or when it was stopped and nothing is left.
  /// `milliseconds::max()` = no limit.
  ///
  /// Cancellation: any type; no message is lost, the next call returns it.
  /// Errors: the reason, once the flow has ended by itself and nothing is left, see `consume_event_kind::ended`.
  boost::asio::awaitable<std::optional<message>> next(std::chrono::milliseconds timeout);
  /// The next message if one waits, without suspending.
  std::optional<message> try_next();

  /// Asks for no more, withdraws interest, and waits until the server has confirmed it: what it sent before has arrived
  /// then, and nothing comes after. With `release` it is all given back.
  ///
  /// Cancellation: any type ends the wait; the flow is stopped all the same.
  /// Errors: `timeout`, `connection_lost`; the flow is stopped all the same.
  boost::asio::awaitable<void> stop(stop_mode mode, std::chrono::milliseconds timeout = std::chrono::seconds(5));

  /// True while `next` may still give a message.
  bool active() const noexcept;
  /// Messages that wait for `next`.
  std::size_t buffered() const noexcept;
  /// Pulls sent so far.
  std::uint64_t pulls() const noexcept;
  /// Why it ended by itself; no error while it runs and after `stop`.
  error_code error() const noexcept;

 private:
  std::shared_ptr<consume_core> core_;
};

}  // namespace compass_fabric::jetstream
