// SPDX-License-Identifier: Apache-2.0
// nats_bench --op pub|sub|req|jspub|jspull|idle|subs [--host H --port P --msgs N --size B --style S ...]
// measures one operation against one server and prints one JSON line.
#include "operations.hpp"

#include <unistd.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>

namespace compass_fabric::bench {
namespace {

using operation = asio::awaitable<result> (*)(const arguments&);

operation find_operation(std::string_view name) {
  static const std::map<std::string_view, operation> operations{
      {"pub", run_pub},       {"sub", run_sub},   {"req", run_req},  {"jspub", run_jspub},
      {"jspull", run_jspull}, {"idle", run_idle}, {"subs", run_subs}};
  const auto found = operations.find(name);
  if (found == operations.end()) throw std::runtime_error("unknown --op " + std::string(name));
  return found->second;
}

void run(const arguments& args) {
  // SIGALRM ends a run that hangs: its figures would be worthless anyway.
  alarm(static_cast<unsigned>(args.number("life", 300)));
  asio::io_context io(1);
  std::exception_ptr failure;
  result figures;
  const auto done = [&](std::exception_ptr e, result r) {
    failure = std::move(e);
    figures = std::move(r);
  };
  asio::co_spawn(io, find_operation(args.text("op", "pub"))(args), done);
  io.run();
  if (failure) std::rethrow_exception(failure);
  print(args, figures);
}

}  // namespace
}  // namespace compass_fabric::bench

int main(int argc, char** argv) {
  try {
    compass_fabric::bench::run(compass_fabric::bench::arguments(argc, argv));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "nats_bench: %s\n", e.what());
    return 1;
  }
}
