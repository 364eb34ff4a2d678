// SPDX-License-Identifier: Apache-2.0
// A child process of a test: our own tools, or a server.
//
//   process tool({fabricctl, "sub", "orders.>"});
//   CHECK(tool.wait(seconds{5}) == 0);
//   CHECK(tool.out() == "...");
#pragma once

#include <compass_fabric/testing/deadline.hpp>
#include <compass_fabric/testing/temp_dir.hpp>
#include "testing/unique_fd.hpp"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::testing {

/// How a `process` is started.
struct process_options {
  /// `NAME=VALUE`, added to the environment of this process; a later one wins.
  std::vector<std::string> env = {};
  /// The whole standard input; nothing means an empty one, unless `open_input` is set.
  std::string input = {};
  /// Standard input is a pipe, fed by `write` and ended by `close_input`.
  bool open_input = false;
  /// Where it runs; empty means where this process runs.
  std::filesystem::path working_dir = {};
};

/// One running program; killed with SIGKILL and reaped by the destructor, and by the kernel should the test die.
/// Output is kept whole in files, so a child that writes much never waits for its reader.
class process {
 public:
  /// Starts `args[0]` (looked up on PATH when it has no slash). Throws `std::runtime_error` when it cannot run.
  explicit process(const std::vector<std::string>& args, const process_options& options = {});
  ~process();
  process(const process&) = delete;
  process& operator=(const process&) = delete;

  pid_t pid() const { return pid_; }

  /// Feeds standard input; only with `open_input`. Throws when the child has closed it.
  void write(std::string_view text);
  void close_input();

  /// Sends a signal; without effect once the child has ended.
  void signal(int number);

  /// Waits for the end: the exit status, 128 + signal number when a signal ended it, nothing when `limit` passed.
  std::optional<int> wait(milliseconds limit = default_wait);
  bool running() { return !wait(milliseconds{0}); }

  /// What it has written so far.
  std::string out() const { return read_file(dir_.path() / "out"); }
  std::string err() const { return read_file(dir_.path() / "err"); }

 private:
  temp_dir dir_;
  pid_t pid_ = -1;
  unique_fd exit_handle_;  // a pidfd: readable when the child has ended
  unique_fd input_;
  std::optional<int> status_;
};

/// What a finished program left.
struct process_result {
  int status = 0;
  std::string out;
  std::string err;
};

/// Starts a program and waits for its end. Throws `std::runtime_error` when it does not end within `limit`.
process_result run_process(const std::vector<std::string>& args, const process_options& options = {},
                           milliseconds limit = default_wait);

}  // namespace compass_fabric::testing
