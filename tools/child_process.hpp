// SPDX-License-Identifier: Apache-2.0
// Runs one shell command without blocking the executor.
#pragma once

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace fabricctl {

/// Runs `command` by `/bin/sh -c` with `input` as its standard input and `variables` ("NAME=value") added to its
/// environment; returns 0, its exit status, or 128 + the number of the signal that ended it. Its output is ours.
///
/// Cancellation: any type; the command's process group is killed and reaped.
/// Errors: throws `std::system_error` when it cannot be started.
boost::asio::awaitable<int> run_shell(const std::string& command, const std::string& input,
                                      const std::vector<std::string>& variables);

}  // namespace fabricctl
