// SPDX-License-Identifier: Apache-2.0
// The type of functions that the library calls and that return at once.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace compass_fabric::jetstream {

namespace detail {

template <class T>
inline constexpr bool is_awaitable = false;
template <class T, class Executor>
inline constexpr bool is_awaitable<boost::asio::awaitable<T, Executor>> = true;

/// Callable, and no coroutine: nobody would run what that returns.
template <class F, class... Arguments>
concept returns_at_once =
    std::invocable<F&, Arguments...> && !is_awaitable<std::remove_cvref_t<std::invoke_result_t<F&, Arguments...>>>;

}  // namespace detail

template <class Signature>
class plain_handler;

/// A `std::function` that does not take a coroutine, which would never start.
template <class... Arguments>
class plain_handler<void(Arguments...)> : public std::function<void(Arguments...)> {
 public:
  plain_handler() noexcept = default;
  plain_handler(std::nullptr_t) noexcept {}  // NOLINT: converts as std::function does
  template <class F>
    requires(!std::same_as<std::remove_cvref_t<F>, plain_handler> &&
             detail::returns_at_once<std::decay_t<F>, Arguments...>)
  plain_handler(F&& callable)  // NOLINT: a lambda is meant to convert
      : std::function<void(Arguments...)>(std::forward<F>(callable)) {}
};

}  // namespace compass_fabric::jetstream
