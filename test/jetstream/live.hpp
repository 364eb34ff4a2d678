// SPDX-License-Identifier: Apache-2.0
// What the live tests of this room share: a stream ORDERS on `orders.>` and a durable BILLING on it.
#pragma once

#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/nats_server.hpp>
#include <compass_fabric/testing/run.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <chrono>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

#include <compass_fabric/async.hpp>
#include <compass_fabric/connection.hpp>
#include <compass_fabric/jetstream/jetstream.hpp>

namespace compass_fabric::testing {

using boost::asio::awaitable;
using namespace std::chrono_literals;

inline jetstream::stream_config orders_stream() {
  jetstream::stream_config config;
  config.name = "ORDERS";
  config.subjects = {"orders.>"};
  return config;
}

inline jetstream::consumer_config billing_consumer() {
  jetstream::consumer_config config;
  config.name = "BILLING";
  return config;
}

/// Connects, to any of `urls` separated by commas, with pauses so short that a restarted server is found at once.
inline awaitable<connection> connect_fast(std::string urls) {
  connect_options options;
  options.servers.clear();
  std::istringstream list(urls);
  for (std::string url; std::getline(list, url, ',');) options.servers.push_back(url);
  options.reconnect.initial_delay = 10ms;
  options.reconnect.max_delay = 20ms;
  options.reconnect.jitter = 0ms;
  co_return co_await connect(options);
}

/// Creates ORDERS and BILLING.
inline awaitable<void> provision(jetstream::context js, jetstream::consumer_config consumer = billing_consumer()) {
  const auto stream = orders_stream();
  co_await js.create_stream(stream);
  co_await js.create_consumer("ORDERS", consumer);
}

/// Publishes `count` messages to `subject`, with payloads "0", "1", ...
inline awaitable<void> publish_numbers(jetstream::context js, std::string subject, int count) {
  for (int i = 0; i != count; ++i) {
    const auto text = std::to_string(i);
    co_await js.publish(subject, text);
  }
}

inline awaitable<std::uint64_t> ack_pending(jetstream::context js) {
  const auto info = co_await js.consumer_info("ORDERS", "BILLING");
  co_return info.ack_pending;
}

/// Waits until a pull of BILLING waits at the server.
inline awaitable<void> until_waiting(jetstream::context js) {
  const deadline end(default_wait);
  while (!end.passed()) {
    const auto info = co_await js.consumer_info("ORDERS", "BILLING");
    if (info.waiting != 0) co_return;
  }
  throw std::runtime_error("no pull waits at the consumer");
}

/// Waits until BILLING has no delivery without an answer.
inline awaitable<bool> nothing_ack_pending(jetstream::context js, milliseconds limit = default_wait) {
  const deadline end(limit);
  while (!end.passed()) {
    const auto pending = co_await ack_pending(js);
    if (pending == 0) co_return true;
  }
  co_return false;
}

}  // namespace compass_fabric::testing
