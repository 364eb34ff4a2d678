// SPDX-License-Identifier: Apache-2.0
// The connection to a NATS server: publish, subscribe, request, and a link that is replaced when it breaks.
//
//   connection nc = co_await connect("nats://127.0.0.1:4222");
//   co_await nc.publish("greet.ann", "hello");
//   message reply = co_await nc.request("time.now", "", 1s);
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <compass_fabric/error.hpp>
#include <compass_fabric/event_stream.hpp>
#include <compass_fabric/headers.hpp>
#include <compass_fabric/latency_histogram.hpp>
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

/// What a waiting request does when the link drops.
enum class request_loss {
  /// As `connect_options::fail_requests_on_disconnect` says.
  by_connection,
  /// It ends with `connection_lost`.
  fail,
  /// It waits on: for a reply over the next link, or its timeout.
  wait,
};

/// Options of one request.
struct request_options {
  /// How long to wait for the reply.
  std::chrono::milliseconds timeout{5000};
  /// Header fields to send; null = none.
  const headers* fields = nullptr;
  request_loss on_disconnect = request_loss::by_connection;
};

/// Options of one request with many replies. It ends at the first of the limits that are set.
struct request_many_options {
  /// How long it may take in all.
  std::chrono::milliseconds timeout{5000};
  /// How long the next reply may stay away once one has come; 0 = no limit.
  std::chrono::milliseconds stall{0};
  /// So many replies are enough; 0 = no limit.
  std::size_t max_replies = 0;
  /// True for the reply that ends it, which is not among those returned; null = none. `ends_with_empty` is the usual
  /// one.
  std::function<bool(const message_view&)> sentinel;
  /// True: an inbox subscription for this request alone, which the server ends after `max_replies`. False: the inbox
  /// all requests share; replies beyond the end still travel and are ignored.
  bool own_inbox = false;
  /// Header fields to send; null = none.
  const headers* fields = nullptr;
  request_loss on_disconnect = request_loss::by_connection;
};

/// A sentinel: the reply without payload and headers ends the replies.
inline bool ends_with_empty(const message_view& m) noexcept { return m.payload.empty() && m.header_block.empty(); }

/// Removes its event handler when destroyed.
using event_registration = std::shared_ptr<void>;

/// Handle of a connection; copies share it, and the last one gone closes it.
///
/// Threads: use on the connection's executor only (the one `connect` ran on; a strand when its context has several
/// threads). From elsewhere go through `async`. Destroying a handle elsewhere is safe.
/// Lifetime: a handle may outlive the io_context; it is closed then. On a strand it may not, for a strand itself must
/// be gone before its context is. What a handle started goes on without it, but the last handle gone closes as `close`.
class connection {
 public:
  connection() noexcept = default;
  explicit connection(std::shared_ptr<client::connection_core> core);

  /// Sends `payload` to `subject`: returns once the message is in the outbound buffer, and suspends while that buffer
  /// is over its high-water mark. One caller's messages keep their order; of several callers that wait for room, any
  /// may be first. Delivery is at most once; `flush` tells that the server has it.
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
  /// As above; `handler` is a coroutine that gets each message as its own: it may wait, and the connection does not
  /// wait for it. Messages queue within the subscription's limits and are handled in order, or `max_concurrency` at a
  /// time. A handler that was started runs to its end, also when the subscription ends meanwhile; what it throws leaves
  /// through the executor's run function, and the next message is handled.
  subscription subscribe(std::string_view subject, coroutine_handler handler, const subscribe_options& options = {});
  /// A coroutine handler takes a `message`, not the view of one: as a plain handler it would never run.
  template <coroutine_of_view F>
  subscription subscribe(std::string_view subject, F handler, const subscribe_options& options = {}) = delete;

  /// Sends `payload` to `subject` and waits for the first reply. All requests share one inbox. While the outbox is over
  /// its mark it waits for room, within its time.
  ///
  /// Cancellation: any type, at any time; ends the wait only, a late reply is dropped. The server may act on it.
  /// Lifetime: the arguments must live until it completes.
  /// Errors: `timeout`, `no_responders`, `connection_lost`, those of `publish`, and what the server says to the inbox:
  /// `permission_violation`, `max_subscriptions_exceeded`.
  boost::asio::awaitable<message> request(std::string_view subject, std::string_view payload,
                                          request_options options = {});

  /// Sends `payload` to `subject` and collects replies until one of the limits in `options` is reached. None may have
  /// come: that is an empty result, not an error.
  ///
  /// Cancellation: any type, at any time; what had come is lost.
  /// Lifetime: the arguments must live until it completes.
  /// Errors: `no_responders`, `connection_lost`, those of `publish`, and what the server says to the inbox:
  /// `permission_violation`, `max_subscriptions_exceeded`. `timeout` when its time is over before it could be sent.
  boost::asio::awaitable<std::vector<message>> request_many(std::string_view subject, std::string_view payload,
                                                            request_many_options options = {});
  /// Publishes `payload` to where `request` wants its answer; `options.reply` may ask for an answer to that.
  /// Errors: `no_reply_subject`, and those of `publish`; cancellation and lifetime as `publish`.
  boost::asio::awaitable<void> respond(message_view request, std::string_view payload, publish_options options = {});
  /// As `respond`, but never waits, as `try_publish`.
  error_code try_respond(const message_view& request, std::string_view payload, const publish_options& options = {});

  /// Waits until the server has processed everything sent before (PING and its PONG).
  ///
  /// Cancellation: any type; ends the wait only.
  /// Errors: `timeout`, `connection_lost`, `connection_closed`.
  boost::asio::awaitable<void> flush(std::chrono::milliseconds timeout = std::chrono::seconds(10));
  /// Time from PING to PONG. Errors and cancellation as `flush`.
  boost::asio::awaitable<std::chrono::nanoseconds> rtt(std::chrono::milliseconds timeout = std::chrono::seconds(10));

  /// Waits until every message that coroutine handlers of active subscriptions had received before the call has been
  /// handled, across all of them. Plain handlers have always finished by then; what waits for `next` is the business of
  /// its caller. Call `flush` first to include everything the server has sent.
  ///
  /// Cancellation: any type; ends the wait only.
  /// Errors: `timeout`.
  boost::asio::awaitable<void> barrier(std::chrono::milliseconds timeout = std::chrono::seconds(30));

  /// Graceful end: no new subscription is taken, interest is withdrawn, what was received is handed out, requests in
  /// flight get their replies, publishes are flushed, then it is closed. While work is still being published it waits.
  ///
  /// Cancellation: any type; it is closed at once, and `closed` gives `operation_aborted`.
  /// Errors: `timeout` when not done in time; it is closed all the same.
  boost::asio::awaitable<void> drain(std::chrono::milliseconds timeout = std::chrono::seconds(30));
  /// Ends it now; every waiting operation ends with `connection_closed`. Idempotent, allowed anywhere.
  void close() noexcept;
  /// Waits for the end, however long that takes, and returns why it ended; no error after `close` or `drain`.
  /// Cancellation: any type; ends the wait only.
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
  /// From the call of `request` to its reply, for those that got one. Empty unless `measure_latency` is set.
  const latency_histogram& request_latency() const noexcept;
  /// From the first publish into an empty outbox until the transport had taken everything, one value for each such
  /// burst. Empty unless `measure_latency` is set.
  const latency_histogram& write_latency() const noexcept;
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
