// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include <compass_fabric/jetstream/jetstream.hpp>

#include <algorithm>
#include <stdexcept>

namespace compass_fabric::bench {
namespace {

using clock = std::chrono::steady_clock;

struct workload {
  jetstream::context js;
  std::string subject;
  std::string payload;
};

std::exception_ptr fault_in(const jetstream::publish_ack& ack) {
  if (!ack.stream.empty() && ack.sequence != 0) return nullptr;
  return std::make_exception_ptr(std::runtime_error("an acknowledgement without stream or sequence"));
}

/// Each waits for its ack; `latencies` may be null.
asio::awaitable<void> publish_in_turn(workload& w, std::size_t count,
                                      std::vector<std::chrono::nanoseconds>* latencies) {
  for (std::size_t n = 0; n != count; ++n) {
    const auto start = clock::now();
    const auto ack = co_await w.js.publish(w.subject, w.payload);
    if (const auto fault = fault_in(ack)) std::rethrow_exception(fault);
    if (latencies != nullptr) latencies->push_back(clock::now() - start);
  }
}

asio::awaitable<void> publish_windowed(workload& w, std::size_t count, std::size_t window) {
  jetstream::publisher_options options;
  options.window = window;
  std::exception_ptr failure;
  const auto keep_failure = [&](const jetstream::publish_outcome& o) {
    const auto fault = o.error ? std::make_exception_ptr(system_error(o.error, o.description)) : fault_in(o.ack);
    if (fault) failure = fault;
  };
  jetstream::publisher out(w.js, options, keep_failure);
  for (std::size_t n = 0; n != count && !failure; ++n) co_await out.publish(w.subject, w.payload);
  co_await out.wait_all();
  if (failure) std::rethrow_exception(failure);
}

asio::awaitable<void> publish_all(workload& w, std::size_t count, std::size_t window,
                                  std::vector<std::chrono::nanoseconds>* latencies) {
  return window == 1 ? publish_in_turn(w, count, latencies) : publish_windowed(w, count, window);
}

}  // namespace

asio::awaitable<result> run_jspub(const arguments& args) {
  result r;
  r.payload = args.number("size", 128);
  r.operations = args.number("msgs", 100000);
  const std::size_t window = std::max<std::size_t>(args.number("window", 1), 1);
  connection nc = co_await connect_by(args);
  workload w{jetstream::context(nc), args.text("subject", "bench"), std::string(r.payload, 'x')};
  const std::size_t untimed = std::min<std::size_t>(r.operations / 10 + 1, 5000);
  co_await publish_all(w, args.number("warmup", untimed), window, nullptr);
  if (window == 1) r.latencies.reserve(r.operations);
  r.time.start();
  co_await publish_all(w, r.operations, window, window == 1 ? &r.latencies : nullptr);
  r.time.stop();
  co_return r;
}

}  // namespace compass_fabric::bench
