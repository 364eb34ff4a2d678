// SPDX-License-Identifier: Apache-2.0
// server info, ping, rtt: who answers, and how fast.
#include "commands.hpp"
#include "json_line.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace fabricctl {
namespace {

using boost::asio::awaitable;
using std::chrono::nanoseconds;

std::uint64_t in_microseconds(nanoseconds time) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

std::string in_milliseconds(nanoseconds time) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3f ms", static_cast<double>(time.count()) / 1e6);
  return text.data();
}

void print_info(session& s) {
  const auto& info = s.nc().info();
  if (s.common().json) {
    json_line line;
    line.text("server", info.server_name).text("id", info.server_id).text("version", info.version);
    line.text("cluster", info.cluster).text("domain", info.domain).boolean("jetstream", info.jetstream);
    line.boolean("headers", info.headers).boolean("tls_required", info.tls_required);
    line.number("max_payload", static_cast<std::uint64_t>(std::max<std::int64_t>(info.max_payload, 0)));
    line.number("client_id", info.client_id).text("client_ip", info.client_ip);
    s.print(line.text("account", info.remote_account).str());
    return;
  }
  const auto print = [&](const char* name, const std::string& value) {
    if (!value.empty()) s.print(std::string(name) + "\t" + one_line(value));
  };
  print("server", info.server_name);
  print("id", info.server_id);
  print("version", info.version);
  print("cluster", info.cluster);
  print("domain", info.domain);
  print("jetstream", info.jetstream ? "yes" : "no");
  print("tls", info.tls_required ? "required" : info.tls_available ? "available" : "no");
  print("max_payload", std::to_string(info.max_payload));
  print("client_id", std::to_string(info.client_id));
  print("client_ip", info.client_ip);
  print("account", info.remote_account);
  for (const auto& known : s.nc().servers()) print(known.announced ? "announced" : "given", known.address);
}

void print_summary(session& s, const std::vector<nanoseconds>& times) {
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  const auto mean = std::accumulate(times.begin(), times.end(), nanoseconds(0)) / static_cast<long>(times.size());
  if (s.common().json) {
    json_line line;
    line.text("server", s.nc().info().server_name).number("count", times.size());
    line.number("min_us", in_microseconds(*least)).number("mean_us", in_microseconds(mean));
    s.print(line.number("max_us", in_microseconds(*most)).str());
  } else {
    s.print(s.nc().info().server_name + "\tmin " + in_milliseconds(*least) + "\tmean " + in_milliseconds(mean) +
            "\tmax " + in_milliseconds(*most));
  }
}

void print_pong(session& s, nanoseconds time) {
  if (s.common().json) {
    json_line line;
    s.print(line.text("server", s.nc().info().server_name).number("us", in_microseconds(time)).str());
  } else {
    s.print("pong from " + s.nc().info().server_name + " in " + in_milliseconds(time));
  }
}

}  // namespace

awaitable<int> run(session& s, const server_arguments& a) {
  if (a.what == server_question::info) {
    print_info(s);
    co_return 0;
  }
  std::vector<nanoseconds> times;
  for (std::uint64_t i = 0; i != a.count && !s.stopping(); ++i) {
    const auto time = co_await s.nc().rtt(s.common().timeout);
    times.push_back(time);
    if (a.what == server_question::ping) print_pong(s, time);
  }
  if (a.what == server_question::rtt && !times.empty()) print_summary(s, times);
  co_return 0;
}

}  // namespace fabricctl
