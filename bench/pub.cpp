// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

namespace compass_fabric::bench {
namespace {

asio::awaitable<void> publish_awaited(connection& nc, const std::string& subject, const std::string& payload,
                                      std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) co_await nc.publish(subject, payload);
}

asio::awaitable<void> publish_sync(connection& nc, const std::string& subject, const std::string& payload,
                                   std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto ec = nc.try_publish(subject, payload);
    if (!ec) continue;
    if (ec != errc::outbox_full) throw_error(ec, subject);
    co_await nc.publish(subject, payload);
  }
}

}  // namespace

asio::awaitable<result> run_pub(const arguments& args) {
  result r;
  r.payload = args.number("size", 128);
  r.operations = args.number("msgs", 100000);
  const std::string subject = args.text("subject", "bench");
  const std::string payload(r.payload, 'x');
  const auto publish = args.text("style", "default") == "sync" ? publish_sync : publish_awaited;
  connection nc = co_await connect_by(args);
  if (const std::size_t warmup = args.number("warmup", r.operations / 10); warmup != 0) {
    co_await publish(nc, subject, payload, warmup);
    co_await nc.flush(std::chrono::minutes(2));
  }
  r.time.start();
  co_await publish(nc, subject, payload, r.operations);
  co_await nc.flush(std::chrono::minutes(2));
  r.time.stop();
  co_return r;
}

}  // namespace compass_fabric::bench
