// SPDX-License-Identifier: Apache-2.0
// Publishes one message and receives it: the program of the README.
#include <boost/asio.hpp>
#include <compass_fabric/compass_fabric.hpp>
#include <iostream>
namespace nats = compass_fabric;
using namespace std::chrono_literals;

boost::asio::awaitable<void> greet() {
  nats::connection nc = co_await nats::connect("nats://127.0.0.1:4222");
  nats::subscription sub = nc.subscribe("greet.*");
  co_await nc.publish("greet.ann", "hello");
  nats::message m = co_await sub.next(1s);
  std::cout << m.subject() << ": " << m.payload() << '\n';
}
int main() {
  boost::asio::io_context io;
  co_spawn(io, greet(), boost::asio::detached);
  io.run();
}
