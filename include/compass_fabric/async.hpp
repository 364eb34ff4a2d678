// SPDX-License-Identifier: Apache-2.0
// The bridges from awaitables: `async` turns one into an ordinary Asio operation with any completion token, from any
// thread; `as_result` turns its exception into a result.
//
//   std::future<message> f = async(nc, nc.request("time.now", ""), asio::use_future);
//   auto r = co_await as_result(nc.request("time.now", ""));
//   if (r.has_error() && r.error() == errc::no_responders) ...
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/system/result.hpp>

#include <compass_fabric/error.hpp>

namespace compass_fabric {

/// The error code inside `failure`: that of a `system_error`, else `operation_aborted` is never guessed and the
/// exception is rethrown. Null gives success.
inline error_code to_error_code(const std::exception_ptr& failure) {
  if (!failure) return {};
  try {
    std::rethrow_exception(failure);
  } catch (const system_error& e) {
    return e.code();
  }
}

namespace detail {

template <class T>
struct completion {
  using signature = void(error_code, T);
};
template <>
struct completion<void> {
  using signature = void(error_code);
};

/// Completes `handler` on its own executor, or on `fallback` when it has none.
template <class Handler, class Executor, class... Values>
void complete_on(Handler handler, const Executor& fallback, Values... values) {
  auto executor = boost::asio::get_associated_executor(handler, fallback);
  boost::asio::dispatch(
      executor, [h = std::move(handler), ... v = std::move(values)]() mutable { std::move(h)(std::move(v)...); });
}

}  // namespace detail

/// Runs `operation` on the executor of `object` (anything with `get_executor()`) and completes `token` with
/// `void(error_code, T)`, or `void(error_code)` for void. Callable from any thread.
///
/// Cancellation: the token's slot reaches the operation.
/// Lifetime: an awaitable has not started yet, so views passed to it must live until completion.
/// Errors: `system_error` becomes its code; any other exception leaves through the executor's run function.
template <class Object, class T, class Token>
auto async(const Object& object, boost::asio::awaitable<T> operation, Token&& token) {
  auto initiate = [](auto handler, const boost::asio::any_io_executor& executor, boost::asio::awaitable<T> op) {
    auto slot = boost::asio::get_associated_cancellation_slot(handler);
    // The handler's own context must not run out of work before the completion gets there.
    auto work = boost::asio::make_work_guard(boost::asio::get_associated_executor(handler, executor));
    if constexpr (std::is_void_v<T>) {
      auto done = [h = std::move(handler), executor, work = std::move(work)](std::exception_ptr e) mutable {
        detail::complete_on(std::move(h), executor, to_error_code(e));
      };
      boost::asio::co_spawn(executor, std::move(op), boost::asio::bind_cancellation_slot(slot, std::move(done)));
    } else {
      auto done = [h = std::move(handler), executor, work = std::move(work)](std::exception_ptr e, T value) mutable {
        detail::complete_on(std::move(h), executor, to_error_code(e), std::move(value));
      };
      boost::asio::co_spawn(executor, std::move(op), boost::asio::bind_cancellation_slot(slot, std::move(done)));
    }
  };
  return boost::asio::async_initiate<Token, typename detail::completion<T>::signature>(
      std::move(initiate), token, boost::asio::any_io_executor(object.get_executor()), std::move(operation));
}

/// Awaits `operation` and gives its value or its error code. Exceptions other than `system_error` pass through.
template <class T>
boost::asio::awaitable<boost::system::result<T>> as_result(boost::asio::awaitable<T> operation) {
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(operation);
      co_return boost::system::result<T>();
    } else {
      co_return boost::system::result<T>(co_await std::move(operation));
    }
  } catch (const system_error& e) {
    co_return boost::system::result<T>(e.code());
  }
}

}  // namespace compass_fabric
