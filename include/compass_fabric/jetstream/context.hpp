// SPDX-License-Identifier: Apache-2.0
// The way into JetStream: publish with acknowledgement, and everything that manages streams and consumers.
//
//   jetstream::context js(nc);
//   jetstream::stream_config orders;
//   orders.name = "ORDERS";
//   orders.subjects = {"orders.>"};
//   co_await js.create_or_update_stream(orders);
//   auto ack = co_await js.publish("orders.new", "42");
#pragma once

#include <compass_fabric/connection.hpp>
#include <compass_fabric/jetstream/config.hpp>
#include <compass_fabric/jetstream/consumer.hpp>
#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/jetstream/info.hpp>
#include <compass_fabric/jetstream/plain_handler.hpp>
#include <compass_fabric/jetstream/publish_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::jetstream {

class context_state;

/// One API request that has ended; its views live as long as the call that shows it.
struct api_call {
  std::string_view subject;
  /// JSON; empty where the API wants no body.
  std::string_view request;
  /// JSON, with the server's error if it refused; empty when no reply came.
  std::string_view reply;
  std::chrono::nanoseconds duration{0};
  /// Why no reply came.
  error_code error;
};

/// Where the API is and how long to wait for it.
struct context_options {
  /// First tokens of every API subject.
  std::string prefix = "$JS.API";
  /// A JetStream domain; not empty: the prefix is `$JS.<domain>.API`.
  std::string domain;
  /// For one API request.
  std::chrono::milliseconds timeout{5000};
  /// Called after every request to the API, not for pulls and publishes; null = nobody. On the connection's executor;
  /// what it throws leaves through the executor's run function.
  plain_handler<void(const api_call&)> on_api_call;
};

/// What to remove from a stream; unset = everything. `below_sequence` and `keep` exclude each other.
struct purge_options {
  std::string filter_subject;
  /// Messages with a smaller sequence go.
  std::optional<std::uint64_t> below_sequence;
  /// So many of the newest stay.
  std::optional<std::uint64_t> keep;
};

/// JetStream over a connection; copies are cheap and equal.
///
/// Every operation sends requests and waits for their answers.
/// Cancellation: any type ends the wait only; the server may carry the request out.
/// Lifetime: holds the connection; arguments must live until the operation completes.
/// Threads: as the connection.
/// Errors of every operation: `api_error` with the server's reason; `errc::invalid_name` before anything is sent;
/// `errc::unavailable` when nobody answers the API subject, `errc::invalid_reply`; and the client's `timeout`,
/// `connection_lost`, `connection_closed`.
class context {
 public:
  /// Errors: throws `errc::invalid_option` for a prefix or domain that is no subject.
  explicit context(connection nc, const context_options& options = {});

  /// Creates a stream; the same configuration again is a success. Errors: `config_mismatch`.
  boost::asio::awaitable<jetstream::stream_info> create_stream(const stream_config& config);
  /// Replaces the whole configuration: unset members go back to the server's defaults. Errors: `stream_not_found`.
  boost::asio::awaitable<jetstream::stream_info> update_stream(const stream_config& config);
  /// Makes the stream as wanted: creates it, changes what differs, or sends no change at all. Unset members keep the
  /// value the server has.
  boost::asio::awaitable<jetstream::stream_info> create_or_update_stream(const stream_config& config);
  boost::asio::awaitable<jetstream::stream_info> stream_info(std::string_view stream);
  boost::asio::awaitable<void> delete_stream(std::string_view stream);
  /// Names of all streams, or of those whose subjects overlap `subject`.
  boost::asio::awaitable<std::vector<std::string>> stream_names(std::string_view subject = {});
  boost::asio::awaitable<std::vector<jetstream::stream_info>> list_streams();
  /// Removes messages and returns how many.
  boost::asio::awaitable<std::uint64_t> purge(std::string_view stream, const purge_options& options);
  boost::asio::awaitable<std::uint64_t> purge(std::string_view stream);
  /// Reads one message through the stream's leader. Errors: `message_not_found`.
  boost::asio::awaitable<stored_message> get_message(std::string_view stream, std::uint64_t sequence);

  /// Creates a consumer; the same configuration again is a success. Errors: `config_mismatch`, `stream_not_found`.
  boost::asio::awaitable<jetstream::consumer_info> create_consumer(std::string_view stream,
                                                                   const consumer_config& config);
  /// Replaces the whole configuration. Errors: `consumer_not_found`.
  boost::asio::awaitable<jetstream::consumer_info> update_consumer(std::string_view stream,
                                                                   const consumer_config& config);
  /// As `create_or_update_stream`, for a consumer.
  boost::asio::awaitable<jetstream::consumer_info> create_or_update_consumer(std::string_view stream,
                                                                             const consumer_config& config);
  boost::asio::awaitable<jetstream::consumer_info> consumer_info(std::string_view stream, std::string_view consumer);
  boost::asio::awaitable<void> delete_consumer(std::string_view stream, std::string_view consumer);
  boost::asio::awaitable<std::vector<jetstream::consumer_info>> list_consumers(std::string_view stream);
  /// A handle to pull from a consumer that exists; asks nothing. Errors: throws `errc::invalid_name`.
  pull_consumer consumer(std::string_view stream, std::string_view name) const;

  /// Publishes and waits for the stream's acknowledgement; a duplicate is a success.
  ///
  /// Nobody answering (503) and a stream that asks for patience are retried with growing pauses; an unseen ack is
  /// retried only with a message id. All of it ends with the budget. Errors: `no_stream_response`, `ack_unknown`
  /// (stored or not), `api_error` (refused, not stored), and those of `connection::publish` (not sent).
  boost::asio::awaitable<publish_ack> publish(std::string_view subject, std::string_view payload,
                                              publish_options options = {});

  boost::asio::awaitable<jetstream::account_info> account_info();

  const connection& get_connection() const noexcept;
  boost::asio::any_io_executor get_executor() const noexcept;

  // Name the argument first: g++ 12 destroys a temporary inside a co_await expression twice.
  boost::asio::awaitable<jetstream::stream_info> create_stream(stream_config&&) = delete;
  boost::asio::awaitable<jetstream::stream_info> update_stream(stream_config&&) = delete;
  boost::asio::awaitable<jetstream::stream_info> create_or_update_stream(stream_config&&) = delete;
  boost::asio::awaitable<jetstream::consumer_info> create_consumer(std::string_view, consumer_config&&) = delete;
  boost::asio::awaitable<jetstream::consumer_info> update_consumer(std::string_view, consumer_config&&) = delete;
  boost::asio::awaitable<jetstream::consumer_info> create_or_update_consumer(std::string_view,
                                                                             consumer_config&&) = delete;
  boost::asio::awaitable<std::uint64_t> purge(std::string_view, purge_options&&) = delete;

 private:
  std::shared_ptr<const context_state> state_;
};

}  // namespace compass_fabric::jetstream
