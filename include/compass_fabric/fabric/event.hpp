// SPDX-License-Identifier: Apache-2.0
// What a handler receives, and the two forms a handler may have: a plain function or a coroutine. It returns for
// success, throws `transient_error` for an outage, and throws anything else for a failed attempt.
//
//   handler plain = [&](const event& e) { store.refresh(e.ref); };
//   handler awaiting = [&](const event& e) -> boost::asio::awaitable<void> { co_await store.refresh(e.ref); };
#pragma once

#include <compass_fabric/fabric/event_ref.hpp>

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace compass_fabric::fabric {

/// One delivered event.
struct event {
  /// Which row changed.
  event_ref ref;
  /// The concrete subject it was published to, also for a subscription to every tenant.
  std::string subject;
  /// Its place in the stream, and which delivery this is (1 = the first); nothing when the delivery's metadata cannot
  /// be read.
  std::optional<std::uint64_t> stream_sequence;
  std::optional<std::uint64_t> num_delivered;
};

/// A handler of either form. The event lives until the handler has returned, for a coroutine until it has ended.
///
/// A plain handler runs on the connection's executor and must not block it for long; everything on the connection
/// waits meanwhile. A coroutine is cancelled (terminal) when its event's lease ends or its subscription does.
class handler {
 public:
  using plain = std::function<void(const event&)>;
  using awaiting = std::function<boost::asio::awaitable<void>(const event&)>;

  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, handler> && std::invocable<F&, const event&>)
  handler(F&& function) : form_(make(std::forward<F>(function))) {}  // NOLINT: a lambda is meant to convert

  /// Null when the handler is of the other form.
  const plain* as_plain() const noexcept { return std::get_if<plain>(&form_); }
  const awaiting* as_awaiting() const noexcept { return std::get_if<awaiting>(&form_); }

 private:
  template <class F>
  static std::variant<plain, awaiting> make(F&& function) {
    using result = std::invoke_result_t<F&, const event&>;
    if constexpr (std::same_as<result, boost::asio::awaitable<void>>) {
      return awaiting(std::forward<F>(function));
    } else {
      static_assert(std::is_void_v<result>, "a handler returns void or awaitable<void>; it fails by throwing");
      return plain(std::forward<F>(function));
    }
  }

  std::variant<plain, awaiting> form_;
};

}  // namespace compass_fabric::fabric
