// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include <boost/asio/co_spawn.hpp>

namespace compass_fabric::bench {
namespace {

// So many requests, shared by the coroutines that send them one after the other.
struct workload {
  connection nc;
  std::string subject;
  std::string payload;
  std::vector<std::chrono::nanoseconds>* latencies;  // null = not kept
  std::size_t left;
};

asio::awaitable<void> request_in_turn(workload& w) {
  using clock = std::chrono::steady_clock;
  while (w.left > 0) {
    --w.left;
    const auto start = clock::now();
    const message reply = co_await w.nc.request(w.subject, w.payload);
    if (w.latencies != nullptr) w.latencies->push_back(clock::now() - start);
  }
}

asio::awaitable<void> request_concurrently(workload& w, std::size_t inflight) {
  const auto executor = w.nc.get_executor();
  gate all_done(executor);
  std::size_t running = inflight;
  std::exception_ptr failure;
  const auto done = [&](std::exception_ptr e) {
    if (e) failure = e;
    if (--running == 0) all_done.open();
  };
  for (std::size_t i = 0; i < inflight; ++i) asio::co_spawn(executor, request_in_turn(w), done);
  co_await all_done.wait();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

asio::awaitable<result> run_req(const arguments& args) {
  result r;
  r.payload = args.number("size", 128);
  r.operations = args.number("msgs", 100000);
  const std::size_t inflight = std::max<std::size_t>(args.number("inflight", 1), 1);
  connection nc = co_await connect_by(args);
  workload w{nc, args.text("subject", "bench"), std::string(r.payload, 'x'), nullptr, 0};
  w.left = args.number("warmup", r.operations / 10 + 1);
  co_await request_concurrently(w, inflight);
  r.latencies.reserve(r.operations);
  w.latencies = &r.latencies;
  w.left = r.operations;
  r.time.start();
  co_await request_concurrently(w, inflight);
  r.time.stop();
  co_return r;
}

}  // namespace compass_fabric::bench
