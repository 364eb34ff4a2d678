// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

namespace compass_fabric::bench {

asio::awaitable<result> run_idle(const arguments& args) {
  result r;
  r.operations = std::max<std::size_t>(args.number("conns", 50), 2);
  const auto at_start = static_cast<double>(resident_kb());
  std::vector<connection> connections;
  connections.push_back(co_await connect_by(args));
  co_await rest(std::chrono::milliseconds(300));
  const auto with_one = static_cast<double>(resident_kb());
  r.time.start();
  while (connections.size() < r.operations) connections.push_back(co_await connect_by(args));
  co_await rest(std::chrono::milliseconds(500));
  r.time.stop();
  const auto with_all = static_cast<double>(resident_kb());
  r.further = {{"rss_start_kb", at_start},
               {"rss_first_conn_kb", with_one},
               {"rss_per_conn_kb", (with_all - with_one) / static_cast<double>(r.operations - 1)},
               {"threads", static_cast<double>(thread_count())}};
  co_return r;
}

}  // namespace compass_fabric::bench
