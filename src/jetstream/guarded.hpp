// SPDX-License-Identifier: Apache-2.0
// Calls into the user's code from coroutines of ours, which an exception would end.
#pragma once

#include <exception>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>

namespace compass_fabric::jetstream {

/// Calls `f` such that an exception it throws leaves through the run function of `executor` instead of the caller.
template <class F>
void guarded(const boost::asio::any_io_executor& executor, F&& f) {
  try {
    std::forward<F>(f)();
  } catch (...) {
    boost::asio::post(executor, [thrown = std::current_exception()] { std::rethrow_exception(thrown); });
  }
}

}  // namespace compass_fabric::jetstream
