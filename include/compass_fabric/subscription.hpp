// SPDX-License-Identifier: Apache-2.0
// A subscription: interest in a subject, and the messages that arrive for it.
//
//   subscription sub = nc.subscribe("orders.>");
//   for (;;) handle(co_await sub.next(5s));   // ends by an exception, `timeout` or what ended the subscription
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/error.hpp>
#include <compass_fabric/message.hpp>

namespace compass_fabric {

namespace client {
class subscription_state;
}

/// Called for each message inside the connection's reader. It must not block: everything on the connection waits for
/// it.
using message_handler = std::function<void(const message_view&)>;
/// Started for each message, which waits in the subscription's queue until then. It may suspend: the connection goes on
/// meanwhile. See `subscribe_options::max_concurrency`.
using coroutine_handler = std::function<boost::asio::awaitable<void>(message)>;

namespace detail {

template <class T>
inline constexpr bool is_awaitable = false;
template <class T, class Executor>
inline constexpr bool is_awaitable<boost::asio::awaitable<T, Executor>> = true;

}  // namespace detail

/// A coroutine that takes the view of a message, which is gone when it starts: never what is meant.
template <class F>
concept coroutine_of_view = requires(F& f, const message_view& m) {
  { f(m) };
  requires detail::is_awaitable<decltype(f(m))>;
};

/// Counters of one subscription; they stay readable after it ended.
struct subscription_stats {
  /// Messages the server delivered, dropped ones included.
  std::uint64_t received = 0;
  /// Messages given up at the limits.
  std::uint64_t dropped = 0;
  /// Messages and bytes waiting for `next` or a coroutine handler.
  std::size_t pending_messages = 0;
  std::size_t pending_bytes = 0;
  /// Messages taken by `next` or passed to a handler.
  std::uint64_t delivered = 0;
  /// The most messages and bytes that ever waited.
  std::size_t max_pending_messages = 0;
  std::size_t max_pending_bytes = 0;
};

/// Handle of one subscription. Move-only; destroying it unsubscribes. It survives reconnects. A default-constructed or
/// moved-from handle may only be assigned, destroyed, unsubscribed and asked whether it is active.
///
/// Threads: use on the connection's executor only. Destroying it elsewhere is safe.
/// Lifetime: may outlive the connection; it is closed then.
class subscription {
 public:
  subscription() noexcept = default;
  explicit subscription(std::shared_ptr<client::subscription_state> state) noexcept;
  subscription(subscription&&) noexcept = default;
  subscription& operator=(subscription&& other) noexcept;
  ~subscription();

  /// Waits for the next message. Several callers may wait; they are served in order.
  ///
  /// Cancellation: terminal, partial and total; no message is lost, the next call returns it.
  /// Errors: `timeout`, also when one of the subscription's own time limits has ended it; `subscription_closed` once it
  /// ended and nothing is left; `permission_violation` when the server refused it; `connection_closed`;
  /// `invalid_option` when it has a handler.
  boost::asio::awaitable<message> next(std::chrono::milliseconds timeout);
  /// Waits until a message is there, then takes all that wait, `max` at most (0 = no bound). Much cheaper per message
  /// than `next` in a stream: one wait for each burst. Never empty. Cancellation and errors as `next`.
  boost::asio::awaitable<std::vector<message>> next_batch(std::chrono::milliseconds timeout, std::size_t max = 0);
  /// The next message if one waits, without suspending.
  std::optional<message> try_next();

  /// Ends it now: interest is withdrawn and waiting messages are discarded. Idempotent.
  void unsubscribe() noexcept;
  /// Ends it after `max` messages counted from its start; at once when so many have arrived already, and for 0.
  void unsubscribe_after(std::uint64_t max);
  /// Withdraws interest and waits until the server has confirmed it and everything received was taken by `next` or has
  /// been handled. Not to be awaited in a coroutine handler of its own, for whose end it would wait: spawn it there.
  ///
  /// Cancellation: any type ends the wait; interest is withdrawn all the same.
  /// Errors: `timeout` with the rest still readable by `try_next`; `connection_lost`.
  boost::asio::awaitable<void> drain(std::chrono::milliseconds timeout = std::chrono::seconds(30));

  /// Subject and queue as given.
  std::string_view subject() const noexcept;
  std::string_view queue() const noexcept;
  subscription_stats stats() const noexcept;
  /// True while the server may still deliver to it.
  bool active() const noexcept;
  /// Why it ended: `timeout` for its own time limits; no error while active or after `unsubscribe`.
  error_code last_error() const noexcept;

 private:
  std::shared_ptr<client::subscription_state> state_;
};

}  // namespace compass_fabric
