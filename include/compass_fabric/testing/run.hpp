// SPDX-License-Identifier: Apache-2.0
// Runs one coroutine to its end on an io_context of its own, with a deadline.
//
//   run([&]() -> boost::asio::awaitable<void> {
//     auto reply = co_await nc.request("subject", "payload");
//     CHECK(reply.payload() == "pong");   // never a co_await inside CHECK: g++ awaits it twice
//   });
//
// What the coroutine throws is thrown again by the call; the deadline passing throws `std::runtime_error`.
#pragma once

#include <compass_fabric/testing/deadline.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace compass_fabric::testing {

/// How long a coroutine of a test may take in all unless the test says otherwise.
inline constexpr milliseconds default_run_limit{30'000};

namespace run_detail {

template <class T>
struct outcome {
  bool done = false;
  std::exception_ptr error;
  std::optional<std::conditional_t<std::is_void_v<T>, std::monostate, T>> value;
};

// Keeps the value itself, since the completion of co_spawn wants types that can be made from nothing.
template <class T>
boost::asio::awaitable<void> keep(boost::asio::awaitable<T> body, outcome<T>& result) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(body);
  } else {
    result.value.emplace(co_await std::move(body));
  }
}

template <class T>
void start(boost::asio::io_context& io, boost::asio::awaitable<T> body, outcome<T>& result) {
  boost::asio::co_spawn(io, keep(std::move(body), result), [&io, &result](std::exception_ptr error) {
    result.done = true;
    result.error = std::move(error);
    io.stop();
  });
}

template <class T>
T take(outcome<T>& result, milliseconds limit) {
  if (!result.done) {
    throw std::runtime_error("run: the coroutine had not ended after " + std::to_string(limit.count()) + " ms");
  }
  if (result.error) std::rethrow_exception(result.error);
  if constexpr (!std::is_void_v<T>) return std::move(*result.value);
}

}  // namespace run_detail

/// Runs `body` on `io` until it has ended; whatever else waits on `io` stays there.
template <class T>
T run_on(boost::asio::io_context& io, boost::asio::awaitable<T> body, milliseconds limit = default_run_limit) {
  run_detail::outcome<T> result;
  run_detail::start(io, std::move(body), result);
  io.restart();
  io.run_for(limit);
  return run_detail::take(result, limit);
}

/// Runs `body` on a fresh io_context; what it left behind is destroyed with the context.
template <class T>
T run(boost::asio::awaitable<T> body, milliseconds limit = default_run_limit) {
  boost::asio::io_context io(1);
  return run_on(io, std::move(body), limit);
}

/// Runs the coroutine that `make` returns; `make` and what it captures live until the end.
template <std::invocable Make>
auto run(Make&& make, milliseconds limit = default_run_limit) {
  return run(make(), limit);
}

/// As `run`, then demands that nothing is left waiting: throws when work remains on the context within `limit`.
template <std::invocable Make>
void run_to_idle(Make&& make, milliseconds limit = default_run_limit) {
  boost::asio::io_context io(1);
  const deadline end(limit);
  run_on(io, make(), limit);
  io.restart();
  io.run_for(end.left());
  if (!io.stopped()) throw std::runtime_error("run_to_idle: work is left after the coroutine's end");
}

}  // namespace compass_fabric::testing
