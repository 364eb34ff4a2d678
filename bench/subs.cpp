// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

namespace compass_fabric::bench {

asio::awaitable<result> run_subs(const arguments& args) {
  result r;
  r.operations = std::max<std::size_t>(args.number("subs", 10000), 1);
  const bool with_handler = args.text("style", "default") != "pull";
  connection nc = co_await connect_by(args);
  co_await rest(std::chrono::milliseconds(200));
  std::size_t received = 0;
  const auto count = [&received](const message_view&) { ++received; };
  const auto before = static_cast<double>(resident_kb());
  std::vector<subscription> subscriptions;
  subscriptions.reserve(r.operations);
  r.time.start();
  for (std::size_t i = 0; i < r.operations; ++i) {
    const std::string subject = "mem.sub." + std::to_string(i);
    subscriptions.push_back(with_handler ? nc.subscribe(subject, count) : nc.subscribe(subject));
  }
  co_await nc.flush(std::chrono::seconds(30));
  r.time.stop();
  co_await rest(std::chrono::milliseconds(300));
  const double growth = (static_cast<double>(resident_kb()) - before) * 1024;
  r.further = {{"rss_per_sub_bytes", growth / static_cast<double>(r.operations)},
               {"threads", static_cast<double>(thread_count())}};
  co_return r;
}

}  // namespace compass_fabric::bench
