// SPDX-License-Identifier: Apache-2.0
// fabricctl: publish to, consume from and look into the event fabric. Exit status: 0 done, 1 failed (one line on
// standard error says what and where), 2 bad usage.
#include "commands.hpp"
#include "json_line.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <variant>

namespace {

namespace asio = boost::asio;

asio::awaitable<int> execute(const fabricctl::arguments& a) {
  auto nc = co_await fabricctl::open(a.common);
  fabricctl::session session(nc, a.common);
  auto command = std::visit([&](const auto& chosen) { return fabricctl::run(session, chosen); }, a.chosen);
  const int status = co_await std::move(command);
  co_await nc.drain(a.common.timeout);
  co_return status;
}

int fail(const std::string& what) {
  std::fprintf(stderr, "fabricctl: %s\n", fabricctl::one_line(what).c_str());
  return 1;
}

int run_to_end(const fabricctl::arguments& a) {
  asio::io_context io(1);
  int status = 1;
  std::exception_ptr failure;
  auto work = execute(a);
  asio::co_spawn(io, std::move(work), [&](std::exception_ptr e, int result) {
    status = result;
    failure = e;
    io.stop();
  });
  io.run();
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return fail(e.what());
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed standard output is an error like others
  const auto parsed = fabricctl::parse_arguments(argc, argv);
  if (const int* status = std::get_if<int>(&parsed)) return *status;
  return run_to_end(std::get<fabricctl::arguments>(parsed));
}
