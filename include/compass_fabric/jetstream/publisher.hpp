// SPDX-License-Identifier: Apache-2.0
// Publishing with many acknowledgements outstanding: a bounded window, one outcome per message.
//
//   jetstream::publisher out(js, {}, [&](const jetstream::publish_outcome& o) { if (o.error) report(o); });
//   for (const auto& order : orders) co_await out.publish("orders.new", order.text);
//   co_await out.wait_all();
#pragma once

#include <compass_fabric/jetstream/context.hpp>
#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/jetstream/info.hpp>
#include <compass_fabric/jetstream/plain_handler.hpp>
#include <compass_fabric/jetstream/publish_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace compass_fabric::jetstream {

class publish_window;

/// What became of one message.
struct publish_outcome {
  /// The caller's number for it.
  std::uint64_t tag = 0;
  /// No error: stored, see `ack`. `ack_unknown`: stored or not. Anything else: not stored.
  error_code error;
  publish_ack ack;
  /// The server's number and text when it refused, see `api_error`.
  int err_code = 0;
  std::string description;
};

/// Called once for every message, on the connection's executor; it may publish. What it throws leaves through the
/// executor's run function; the publisher goes on.
using publish_outcome_handler = plain_handler<void(const publish_outcome&)>;

/// Options of a publisher.
struct publisher_options {
  /// Messages without an outcome at most; each is kept in memory until then.
  std::size_t window = 1000;
  /// For each message; `publish_options::retry` is not used here.
  publish_retry retry;
};

/// A pipelined publisher. Move-only; destroying it gives every message still open the outcome `ack_unknown`.
///
/// Messages leave in the order of the calls; one that is retried is stored behind later ones. After a lost link open
/// messages with a message id are sent again, others end with `ack_unknown`.
/// Threads: as the connection. Lifetime: holds the connection; may outlive the io_context as a connection may, messages
/// still open then have no outcome.
class publisher {
 public:
  publisher(const context& js, const publisher_options& options, publish_outcome_handler on_outcome);
  publisher(publisher&&) noexcept = default;
  publisher& operator=(publisher&& other) noexcept;
  ~publisher();

  /// Sends a message; waits while the window or the connection's outbound buffer is full. The outcome comes by the
  /// handler.
  ///
  /// Cancellation: any type while it waits for the window; nothing was sent then.
  /// Lifetime: the arguments must live until it completes.
  /// Errors: those of `connection::publish`; there is no outcome then.
  boost::asio::awaitable<void> publish(std::string_view subject, std::string_view payload, publish_options options = {},
                                       std::uint64_t tag = 0);
  /// As `publish`, but never waits: reports `window_full`, or `outbox_full` from the connection.
  error_code try_publish(std::string_view subject, std::string_view payload, const publish_options& options = {},
                         std::uint64_t tag = 0);
  /// Waits until no message is open. Cancellation: any type; ends the wait only.
  boost::asio::awaitable<void> wait_all();

  /// Messages without an outcome yet.
  std::size_t open() const noexcept;

 private:
  std::shared_ptr<publish_window> window_;
};

}  // namespace compass_fabric::jetstream
