// SPDX-License-Identifier: Apache-2.0
// The connection to a NATS server: publish, subscribe, request, and a link that is replaced when it breaks.
//
//   connection nc = co_await connect("nats://127.0.0.1:4222");
//   co_await nc.publish("greet.ann", "hello");
//   message reply = co_await nc.request("time.now", "", 1s);
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <compass_fabric/error.hpp>
#include <compass_fabric/event_stream.hpp>
#include <compass_fabric/headers.hpp>
#include <compass_fabric/message.hpp>
#include <compass_fabric/options.hpp>
#include <compass_fabric/server_info.hpp>
#include <compass_fabric/subscription.hpp>

namespace compass_fabric {

namespace client {
class connection_core;
}

/// Where a connection stands.
enum class connection_state { connecting, connected, reconnecting, draining, closed };

/// Counters since `connect`, over all links.
struct connection_stats {
  std::uint64_t in_messages = 0;
  std::uint64_t in_bytes = 0;
  std::uint64_t out_messages = 0;
  std::uint64_t out_bytes = 0;
  /// Links made after the first.
  std::uint64_t reconnects = 0;
  /// Messages dropped at subscription limits.
  std::uint64_t dropped_messages = 0;
  /// Publishes kept over a loss of the link, and publishes given up.
  std::uint64_t replayed_publishes = 0;
  std::uint64_t dropped_publishes = 0;
  /// Requests without an answer yet.
  std::size_t pending_requests = 0;
  /// Bytes waiting to be written.
  std::size_t outbox_bytes = 0;
};

/// What goes with a publish besides subject and payload. The views must live until the call returns or completes.
struct publish_options {
  /// Where an answer should go; empty = none.
  std::string_view reply;
  /// Header fields to send; null = none.
  const headers* fields = nullptr;
  /// May exceed `outbox_limit` and `reconnect_buffer`: for small control messages such as acknowledgements.
  bool beyond_limit = false;
};

/// Options of one request.
struct request_options {
  /// How long to wait for the reply.
  std::chrono::milliseconds timeout{5000};
  /// Header fields to send; null = none.
  const headers* fields = nullptr;
};

/// Removes its event handler when destroyed.
using event_registration = std::shared_ptr<void>;

/// Handle of a connection; copies share it, and the last one gone closes it.
///
/// Threads: use on the connection's executor only (the one `connect` ran on; a strand when its context has several
/// threads). From elsewhere go through `async`. Destroying a handle elsewhere is safe.
/// Lifetime: a handle may outlive the io_context; it is closed then. On a strand it may not, for a strand itself must
/// be gone before its context is.
class connection {
 public:
  connection() noexcept = default;
  explicit connection(std::shared_ptr<client::connection_core> core);

  /// Sends `payload` to `subject`: returns once the message is in the outbound buffer, in the order of the calls, and
  /// suspends while that buffer is over its high-water mark. Delivery is at most once; `flush` tells that the server
  /// has it.
  ///
  /// Cancellation: any type while it waits for room; nothing was sent then.
  /// Lifetime: the arguments must live until it completes.
  /// Errors: `invalid_subject`, `max_payload_exceeded`, `headers_not_supported`, `connection_closed`, `draining`;
  /// while disconnected `outbox_full` or `connection_lost` by `reconnect_buffer`.
  boost::asio::awaitable<void> publish(std::string_view subject, std::string_view payload,
                                       publish_options options = {});
  /// As `publish`, but never waits: reports `outbox_full` where `publish` would suspend for long. Allocates nothing.
  error_code try_publish(std::string_view subject, std::string_view payload, const publish_options& options = {});

  /// Registers interest in `subject` (wildcards allowed); messages wait for `next`. Survives reconnects.
  /// Errors (thrown): `invalid_subject`, `invalid_queue_name`, `connection_closed`, `draining`.
  subscription subscribe(std::string_view subject, const subscribe_options& options = {});
  /// As above; each message is passed to `handler` inside the reader.
  subscription subscribe(std::string_view subject, message_handler handler, const subscribe_options& options = {});

  /// Sends `payload` to `subject` and waits for the first reply. All requests share one inbox.
  ///
  /// Cancellation: any type, at any time; ends the wait only, a late reply is dropped. The server may act on it.
  /// Lifetime: the arguments must live until it completes.
  /// Errors: `timeout`, `no_responders`, `connection_lost`, and those of `publish`.
  boost::asio::awaitable<message> request(std::string_view subject, std::string_view payload,
                                          request_options options = {});

  /// Waits until the server has processed everything sent before (PING and its PONG).
  ///
  /// Cancellation: any type; ends the wait only.
  /// Errors: `timeout`, `connection_lost`, `connection_closed`.
  boost::asio::awaitable<void> flush(std::chrono::milliseconds timeout = std::chrono::seconds(10));
  /// Time from PING to PONG. Errors and cancellation as `flush`.
  boost::asio::awaitable<std::chrono::nanoseconds> rtt(std::chrono::milliseconds timeout = std::chrono::seconds(10));

  /// Graceful end: no new subscription is taken, interest is withdrawn, what was received is handed out, requests in
  /// flight get their replies, publishes are flushed, then it is closed. While work is still being published it waits.
  ///
  /// Errors: `timeout` when not done in time; it is closed all the same.
  boost::asio::awaitable<void> drain(std::chrono::milliseconds timeout = std::chrono::seconds(30));
  /// Ends it now; every waiting operation ends with `connection_closed`. Idempotent, allowed anywhere.
  void close() noexcept;
  /// Waits for the end and returns why it ended; no error after `close` or `drain`.
  boost::asio::awaitable<error_code> closed();

  /// A subject nobody else uses, under this connection's inbox prefix.
  std::string new_inbox();
  /// Adds an event handler that lives as long as the returned registration.
  [[nodiscard]] event_registration on_event(event_handler handler);

  /// The events from now on as a stream; at most `limit` wait, then the oldest is dropped.
  event_stream events(std::size_t limit = 256);

  /// The servers in the order they will be tried; while connected the first is the one in use.
  std::vector<known_server> servers() const;
  /// Replaces the servers, announced ones too. The link in use stays; the next attempt begins a new round.
  /// Errors (thrown): `invalid_option` for an empty list, `invalid_url`; nothing is changed then.
  void set_servers(const std::vector<std::string>& addresses);
  /// Gives up the link, or the pause before the next attempt, and tries the next server at once. Requests waiting end
  /// as at any loss.
  void reconnect();

  connection_state state() const noexcept;
  connection_stats stats() const noexcept;
  /// The last INFO of the current or last server.
  const server_info& info() const noexcept;
  /// The connection's executor.
  boost::asio::any_io_executor get_executor() const noexcept;

 private:
  struct guard;
  std::shared_ptr<guard> guard_;
};

/// Connects by `options` on the executor of the calling coroutine.
///
/// Cancellation: any type; nothing is left behind.
/// Errors: the last attempt's error when no server could be reached, with the server named; `invalid_option`,
/// `invalid_url`.
boost::asio::awaitable<connection> connect(const connect_options& options);
boost::asio::awaitable<connection> connect(connect_options&&) = delete;  // name it first: g++ 12 destroys it twice
/// Connects to one or more comma-separated addresses with default options.
boost::asio::awaitable<connection> connect(std::string_view servers);

}  // namespace compass_fabric
