// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include <compass_fabric/jetstream/jetstream.hpp>

#include <algorithm>
#include <stdexcept>

namespace compass_fabric::bench {
namespace {

using namespace std::chrono_literals;

void acknowledge(jetstream::message& m) {
  if (const auto error = m.ack()) throw system_error(error, "ack");
}

/// One pull request at a time.
asio::awaitable<void> pull_batches(jetstream::pull_consumer& from, std::size_t count, std::size_t batch) {
  for (std::size_t left = count; left > 0;) {
    auto got = co_await from.fetch(std::min(left, batch));
    if (got.messages.empty()) throw std::runtime_error("fetch: nothing arrived: " + got.text);
    for (auto& m : got.messages) acknowledge(m);
    left -= got.messages.size();
  }
}

/// The library keeps pulls ahead.
asio::awaitable<void> pull_ahead(jetstream::pull_consumer& from, std::size_t count, std::size_t batch) {
  jetstream::consume_options options;
  options.max_messages = batch;
  auto flow = from.consume(options);
  for (std::size_t left = count; left > 0; --left) {
    auto m = flow.try_next();
    if (!m) m = co_await flow.next(10s);
    if (!m) throw std::runtime_error("consume: nothing arrived within 10 s");
    acknowledge(*m);
  }
}

}  // namespace

asio::awaitable<result> run_jspull(const arguments& args) {
  result r;
  r.payload = args.number("size", 128);
  r.operations = args.number("msgs", 100000);
  const std::size_t batch = std::max<std::size_t>(args.number("batch", 500), 1);
  connection nc = co_await connect_by(args);
  jetstream::context js(nc);
  auto from = js.consumer(args.text("stream", "BENCH"), args.text("consumer", "C"));
  r.time.start();
  if (args.text("style", "fetch") == "consume") {
    co_await pull_ahead(from, r.operations, batch);
  } else {
    co_await pull_batches(from, r.operations, batch);
  }
  co_await nc.flush();
  r.time.stop();
  co_return r;
}

}  // namespace compass_fabric::bench
