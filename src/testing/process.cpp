// SPDX-License-Identifier: Apache-2.0
#include "testing/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace compass_fabric::testing {
namespace {

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  result.reserve(texts.size() + 1);
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

std::vector<std::string> environment(const std::vector<std::string>& additions) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) result.emplace_back(*entry);
  for (const auto& addition : additions) {
    const auto name = addition.substr(0, addition.find('=') + 1);
    std::erase_if(result, [&](const std::string& entry) { return entry.starts_with(name); });
    result.push_back(addition);
  }
  return result;
}

unique_fd open_file(const std::filesystem::path& file, int flags) {
  unique_fd fd(::open(file.c_str(), flags | O_CLOEXEC, 0600));
  if (!fd) fail("cannot open " + file.string());
  return fd;
}

// The header of glibc 2.36 declares its wrapper with C++ linkage, so that it does not link.
int open_pidfd(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

struct child_setup {
  std::vector<char*> args;
  std::vector<char*> env;
  const char* working_dir;
  int in, out, err;
};

// Between fork and exec only calls that are safe after a fork in a program with threads.
[[noreturn]] void become(const child_setup& setup) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  ::dup2(setup.in, STDIN_FILENO);
  ::dup2(setup.out, STDOUT_FILENO);
  ::dup2(setup.err, STDERR_FILENO);
  if (*setup.working_dir == '\0' || ::chdir(setup.working_dir) == 0) {
    ::execvpe(setup.args[0], setup.args.data(), setup.env.data());
  }
  ::_exit(127);
}

}  // namespace

process::process(const std::vector<std::string>& args, const process_options& options) {
  auto arguments = args;
  auto variables = environment(options.env);
  const auto out = open_file(dir_.path() / "out", O_CREAT | O_WRONLY | O_APPEND);
  const auto err = open_file(dir_.path() / "err", O_CREAT | O_WRONLY | O_APPEND);
  unique_fd in;
  if (options.open_input) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail("pipe");
    in = unique_fd(ends[0]);
    input_ = unique_fd(ends[1]);
    ::signal(SIGPIPE, SIG_IGN);  // a child that ends early is an error of `write`, not our end
  } else {
    write_file(dir_.path() / "in", options.input);
    in = open_file(dir_.path() / "in", O_RDONLY);
  }
  const child_setup setup{
      pointers(arguments), pointers(variables), options.working_dir.c_str(), in.get(), out.get(), err.get()};
  pid_ = ::fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) become(setup);
  exit_handle_ = unique_fd(open_pidfd(pid_));
  if (!exit_handle_) fail("pidfd_open");
}

process::~process() {
  close_input();
  signal(SIGKILL);
  wait();
}

void process::write(std::string_view text) {
  while (!text.empty()) {
    const auto count = ::write(input_.get(), text.data(), text.size());
    if (count < 0) fail("write to the child's standard input");
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

void process::close_input() { input_.reset(); }

void process::signal(int number) {
  if (!status_) ::kill(pid_, number);
}

std::optional<int> process::wait(milliseconds limit) {
  if (status_) return status_;
  const deadline end(limit);
  pollfd handle{exit_handle_.get(), POLLIN, 0};
  int ready = ::poll(&handle, 1, static_cast<int>(end.left().count()));
  while (ready < 0 && errno == EINTR) ready = ::poll(&handle, 1, static_cast<int>(end.left().count()));
  if (ready <= 0) return std::nullopt;
  int raw = 0;
  if (::waitpid(pid_, &raw, 0) != pid_) fail("waitpid");
  status_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
  return status_;
}

process_result run_process(const std::vector<std::string>& args, const process_options& options, milliseconds limit) {
  process child(args, options);
  const auto status = child.wait(limit);
  if (!status) {
    throw std::runtime_error(args.front() + " had not ended after " + std::to_string(limit.count()) + " ms");
  }
  return {*status, child.out(), child.err()};
}

}  // namespace compass_fabric::testing
