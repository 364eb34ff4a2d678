// SPDX-License-Identifier: Apache-2.0
// A message delivered by a JetStream consumer: its parts, where it came from, and the answers it may be given.
//
//   auto m = co_await orders.next(1s);
//   if (m) { handle(m->payload()); m->ack(); }
#pragma once

#include <compass_fabric/connection.hpp>
#include <compass_fabric/jetstream/config.hpp>
#include <compass_fabric/jetstream/error.hpp>
#include <compass_fabric/message.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace compass_fabric::jetstream {

/// What the acknowledgement subject tells about a delivery. The views live as long as the message.
struct metadata {
  std::string_view stream;
  std::string_view consumer;
  /// Empty = none, or not told.
  std::string_view domain;
  /// 1 = first delivery.
  std::uint64_t delivered = 0;
  std::uint64_t stream_sequence = 0;
  std::uint64_t consumer_sequence = 0;
  /// When the stream stored it.
  timestamp time{};
  /// Messages behind this one when it was sent.
  std::uint64_t pending = 0;
};

/// One delivery. Move-only.
///
/// The answers are plain calls: they put one small message into the outbound buffer, in order, and tell whether that
/// worked. What the server makes of it only `double_ack` tells. One of ack, nak and term per delivery; a call that
/// failed may be repeated. Errors of the answers: `already_acked`; `not_a_jetstream_message` when there is no reply
/// subject; and those of `connection::try_publish`. Threads: as the connection. Lifetime: holds the connection;
/// dropping a message without an answer leaves it to `ack_wait`.
class message {
 public:
  message() noexcept = default;
  /// A delivery received on `nc`; any reply subject is accepted, see `has_metadata`.
  message(connection nc, compass_fabric::message received) noexcept;
  message(message&& other) noexcept;
  message& operator=(message&& other) noexcept;

  std::string_view subject() const noexcept { return received_.subject(); }
  std::string_view payload() const noexcept { return received_.payload(); }
  headers_view headers() const noexcept { return received_.headers(); }
  /// The subject that answers go to.
  std::string_view reply() const noexcept { return received_.reply(); }
  /// Bytes as the server counts them against `max_bytes`: subject, reply, headers and payload.
  std::size_t size() const noexcept { return received_.view().size(); }
  explicit operator bool() const noexcept { return static_cast<bool>(received_); }

  /// False when the reply subject is not a known form of acknowledgement subject; answers still go to it as it is.
  bool has_metadata() const noexcept { return !metadata_.stream.empty(); }
  /// Errors: throws `not_a_jetstream_message` without metadata.
  const jetstream::metadata& metadata() const;

  /// Done; never delivered again.
  error_code ack();
  /// Deliver again at once, ignoring the consumer's backoff.
  error_code nak();
  /// Deliver again after `delay`, which must not be negative.
  error_code nak(std::chrono::nanoseconds delay);
  /// Never deliver again. The server shows `reason` in its advisory; control bytes in it become blanks, and it is cut
  /// at 1024 bytes, so that no reason can stand in the way of a term.
  error_code term(std::string_view reason = {});
  /// Still at it: the ack wait starts anew. May be repeated.
  error_code in_progress();

  /// Acks and waits until the consumer's leader has confirmed it.
  ///
  /// Cancellation: any type ends the wait; the ack may be in effect.
  /// Lifetime: the message must live, where it is, until it completes.
  /// Errors: `ack_unknown` when nothing confirmed it (it may be called again), `consumer_not_found`, `already_acked`.
  boost::asio::awaitable<void> double_ack(std::chrono::milliseconds timeout = std::chrono::seconds(5));

  /// True once ack, nak, term or double_ack went out.
  bool answered() const noexcept { return answered_; }

 private:
  error_code answer(std::string_view text, bool final);

  connection connection_;
  compass_fabric::message received_;
  jetstream::metadata metadata_;
  bool answered_ = false;
};

}  // namespace compass_fabric::jetstream
