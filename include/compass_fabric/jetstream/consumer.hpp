// SPDX-License-Identifier: Apache-2.0
// Pulling from a consumer: one batch with `fetch`, one message with `next`, or a stream of messages with `consume`.
//
//   jetstream::pull_consumer orders = js.consumer("ORDERS", "billing");
//   jetstream::fetch_options ten;
//   auto batch = co_await orders.fetch(10, ten);
//   for (auto& m : batch.messages) m.ack();
#pragma once

#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/jetstream/message.hpp>
#include <compass_fabric/jetstream/message_stream.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::jetstream {

class consumer_state;

/// Options of one fetch.
struct fetch_options {
  /// How long it may take; at least 1 ms, `milliseconds::max()` = no limit.
  std::chrono::milliseconds expires{5000};
  /// The server sends a sign of life this often; twice as long without one ends the fetch. Zero: none. At most half of
  /// `expires`, and 24 hours.
  std::chrono::milliseconds idle_heartbeat{0};
  /// True: only what is there now, without waiting. `expires` still bounds the answer's arrival.
  bool no_wait = false;
  /// Bytes of all messages together, subjects and headers included; 0 = no limit.
  std::size_t max_bytes = 0;
};

/// Why a fetch ended.
enum class fetch_end {
  /// As many messages as asked for.
  complete,
  /// `expires` passed, or nothing (more) was there with `no_wait`.
  no_more_messages,
  /// `max_bytes` is used up.
  bytes_used_up,
  /// Something went wrong; `fetch_result::error` says what. What arrived before is in `messages`.
  failed,
};

/// What a fetch brought.
struct fetch_result {
  std::vector<message> messages;
  fetch_end end = fetch_end::complete;
  /// Set when `end` is failed: `message_too_large` (the next one does not fit), `too_many_pulls`, `consumer_deleted`,
  /// `push_consumer`, `unavailable` (no such consumer, or no leader), `leadership_change`, `server_shutdown`,
  /// `missed_heartbeats`, `pull_refused`, `refused`, or the client's `connection_lost`, `connection_closed`.
  error_code error;
  /// The server's text with it, for people.
  std::string text;
};

/// Handle of a pull consumer; copies are cheap and equal.
///
/// Threads: as the connection. Lifetime: holds the connection.
class pull_consumer {
 public:
  pull_consumer() noexcept = default;
  explicit pull_consumer(std::shared_ptr<const consumer_state> state) noexcept;

  /// Asks for up to `batch` messages and waits until they are there or the fetch ends otherwise.
  ///
  /// Cancellation: any type; messages that arrived are handed back to the server (nak).
  /// Errors: thrown only for arguments out of range (`invalid_option`) and when nothing could be sent.
  boost::asio::awaitable<fetch_result> fetch(std::size_t batch, fetch_options options = {});

  /// Waits for one message; nothing when none came in time. `milliseconds::max()` = no limit.
  ///
  /// Cancellation: as `fetch`.
  /// Errors: thrown, as in `fetch_result::error`.
  boost::asio::awaitable<std::optional<message>> next(std::chrono::milliseconds timeout);

  /// Starts a continuous flow of messages that wait for `message_stream::next`.
  /// Errors: throws `invalid_option`, `connection_closed`, `draining`.
  message_stream consume(const consume_options& options = {});
  /// As above; each message is passed to `handler` inside the connection's reader, where it must not block. A message
  /// counts as taken when the handler returns.
  message_stream consume(delivery_handler handler, const consume_options& options = {});

  std::string_view stream() const noexcept;
  std::string_view name() const noexcept;

 private:
  std::shared_ptr<const consumer_state> state_;
};

}  // namespace compass_fabric::jetstream
