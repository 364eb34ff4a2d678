// SPDX-License-Identifier: Apache-2.0
// Counts what functions of the user throw inside the library.
#pragma once

#include <compass_fabric/testing/run.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <stdexcept>

namespace compass_fabric::testing {

/// What a function of the user throws.
struct thrown_by_user : std::runtime_error {
  thrown_by_user() : std::runtime_error("thrown by a handler") {}
};

/// Runs what `make` makes to its end and returns how often a function of the user threw out of the executor's run
/// function.
template <class Make>
int exceptions_of(Make make) {
  boost::asio::io_context io(1);
  int count = 0;
  bool done = false;
  std::exception_ptr failure;
  boost::asio::co_spawn(io, make(), [&](std::exception_ptr e) {
    failure = e;
    done = true;
  });
  const deadline end(default_run_limit);
  while (!done && !end.passed()) {
    try {
      io.run_one_for(milliseconds(50));
    } catch (const thrown_by_user&) {
      ++count;
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (!done) throw std::runtime_error("exceptions_of: the coroutine did not end");
  return count;
}

}  // namespace compass_fabric::testing
