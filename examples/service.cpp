// SPDX-License-Identifier: Apache-2.0
// A service that answers requests, shares them with its siblings through a queue group, logs what happens to its
// connection, and drains on SIGINT or SIGTERM: what was received is still answered.
#include <csignal>
#include <iostream>

#include <boost/asio.hpp>
#include <compass_fabric/compass_fabric.hpp>

namespace asio = boost::asio;
namespace nats = compass_fabric;

asio::awaitable<void> serve(std::string servers) {
  nats::connect_options options;
  options.servers = {servers};
  options.name = "time-service";
  options.on_event = [](const nats::connection_event& e) { std::cerr << to_string(e) << '\n'; };
  nats::connection nc = co_await nats::connect(options);

  nats::subscribe_options shared;
  shared.queue = "time-service";
  auto requests = nc.subscribe(
      "time.now",
      [&nc](const nats::message_view& m) {
        if (!m.reply.empty()) nc.try_publish(m.reply, std::to_string(std::time(nullptr)));
      },
      shared);

  asio::signal_set stop(co_await asio::this_coro::executor, SIGINT, SIGTERM);
  co_await stop.async_wait(asio::use_awaitable);
  co_await nc.drain();
}

int main(int argc, char** argv) {
  asio::io_context io;
  int status = 0;
  co_spawn(io, serve(argc > 1 ? argv[1] : "nats://127.0.0.1:4222"), [&](std::exception_ptr failure) {
    if (!failure) return;
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& e) {
      std::cerr << e.what() << '\n';
      status = 1;
    }
  });
  io.run();
  return status;
}
