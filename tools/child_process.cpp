// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>
#include <utility>

namespace fabricctl {

namespace asio = boost::asio;

namespace {

[[noreturn]] void fail(int error, const char* what) { throw std::system_error(error, std::generic_category(), what); }

struct input_pipe {
  int read_end = -1;
  int write_end = -1;
  input_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail(errno, "pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  ~input_pipe() {
    ::close(read_end);
    if (write_end >= 0) ::close(write_end);
  }
  input_pipe(const input_pipe&) = delete;
  input_pipe& operator=(const input_pipe&) = delete;
  int release_write_end() { return std::exchange(write_end, -1); }
};

/// The environment with `variables` in place of those of the same name.
std::vector<char*> environment(const std::vector<std::string>& variables) {
  std::vector<char*> all;
  all.reserve(variables.size() + 1);
  for (const auto& v : variables) all.push_back(const_cast<char*>(v.c_str()));
  for (char** e = environ; *e; ++e) {
    const std::string_view entry(*e);
    const auto name = entry.substr(0, entry.find('=') + 1);
    const auto replaced = [&](const std::string& v) { return v.starts_with(name); };
    if (std::none_of(variables.begin(), variables.end(), replaced)) all.push_back(*e);
  }
  all.push_back(nullptr);
  return all;
}

pid_t spawn(const std::string& command, int input, const std::vector<std::string>& variables) {
  const auto env = environment(variables);
  const char* arguments[] = {"sh", "-c", command.c_str(), nullptr};
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) fail(errno, "fork");
  if (pid > 0) return pid;
  // In the child, until exec: only calls that are safe after fork. A group of its own makes a signal from the terminal
  // ours to act on and lets a kill reach grandchildren; should we be killed, the attempt must not go on without us.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  std::signal(SIGPIPE, SIG_DFL);
  ::dup2(input, STDIN_FILENO);
  ::close_range(STDERR_FILENO + 1, ~0U, 0);  // a command that outlives us must not hold our connection open
  ::execve("/bin/sh", const_cast<char* const*>(arguments), env.data());
  ::_exit(127);
}

/// Kills the group and reaps the command unless it was reaped.
class child {
 public:
  explicit child(pid_t pid) : pid_(pid) {}
  ~child() {
    if (pid_ < 0) return;
    ::kill(-pid_, SIGKILL);
    reap();
  }
  child(const child&) = delete;
  child& operator=(const child&) = delete;

  int reap() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    pid_ = -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  int handle() const { return static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)); }

 private:
  pid_t pid_;
};

}  // namespace

asio::awaitable<int> run_shell(const std::string& command, const std::string& input,
                               const std::vector<std::string>& variables) {
  const auto executor = co_await asio::this_coro::executor;
  asio::posix::stream_descriptor writer(executor);
  pid_t pid = -1;
  {
    input_pipe pipe;
    pid = spawn(command, pipe.read_end, variables);
    writer.assign(pipe.release_write_end());
  }
  child process(pid);
  asio::posix::stream_descriptor ended(executor, process.handle());
  // A command that does not read its input is no error.
  co_await asio::async_write(writer, asio::buffer(input), asio::as_tuple(asio::use_awaitable));
  writer.close();
  co_await ended.async_wait(asio::posix::stream_descriptor::wait_read, asio::use_awaitable);
  co_return process.reap();
}

}  // namespace fabricctl
