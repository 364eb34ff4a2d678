// SPDX-License-Identifier: Apache-2.0
#include "bench_support.hpp"

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <ctime>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace compass_fabric::bench {
namespace {

std::chrono::nanoseconds read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec);
}

// The number behind `key` in the process's status.
std::size_t process_status(std::string_view key) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t value = 0;
    if (word == key && status >> value) return value;
  }
  return 0;
}

// Reorders `values`. Selecting instead of sorting keeps the driver's own work out of instruction counts.
std::string percentile_us(std::vector<std::chrono::nanoseconds>& values, double share) {
  if (values.empty()) return "null";
  const auto at = std::min(static_cast<std::size_t>(share * static_cast<double>(values.size())), values.size() - 1);
  const auto position = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin(), position, values.end());
  return fmt::format("{:.2f}", static_cast<double>(position->count()) / 1e3);
}

double per(double amount, double count) { return count > 0 ? amount / count : 0; }

}  // namespace

arguments::arguments(int count, const char* const* values) {
  if (count % 2 == 0) throw std::runtime_error("flags come as --name value");
  for (int i = 1; i < count; i += 2) {
    const std::string_view name = values[i];
    if (!name.starts_with("--")) throw std::runtime_error(fmt::format("not a flag: {}", name));
    values_.emplace(name.substr(2), values[i + 1]);
  }
}

std::string arguments::text(std::string_view name, std::string_view otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(otherwise) : found->second;
}

std::size_t arguments::number(std::string_view name, std::size_t otherwise) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return otherwise;
  const std::string& text = found->second;
  std::size_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    throw std::runtime_error(fmt::format("--{} is not a number: {}", name, text));
  return value;
}

void stopwatch::start() {
  processor_start_ = read_clock(CLOCK_PROCESS_CPUTIME_ID);
  wall_start_ = read_clock(CLOCK_MONOTONIC);
}

void stopwatch::stop() {
  wall_ = read_clock(CLOCK_MONOTONIC) - wall_start_;
  processor_ = read_clock(CLOCK_PROCESS_CPUTIME_ID) - processor_start_;
}

void print(const arguments& args, const result& r) {
  auto latencies = r.latencies;
  const auto seconds = std::chrono::duration<double>(r.time.wall()).count();
  const auto count = static_cast<double>(r.operations);
  std::string line = fmt::format(
      R"({{"peer":"{}","name":"{}","payload":{},"msgs":{},"seconds":{:.6f},"msgs_per_s":{:.1f},"cpu_ns_per_msg":{:.1f},)"
      R"("p50_us":{},"p99_us":{},"max_rss_kb":{})",
      args.text("peer", "compass_fabric"), args.text("name", args.text("op", "pub")), r.payload, r.operations, seconds,
      per(count, seconds), per(static_cast<double>(r.time.processor().count()), count), percentile_us(latencies, 0.50),
      percentile_us(latencies, 0.99), process_status("VmHWM:"));
  for (const auto& [key, value] : r.further) line += fmt::format(R"(,"{}":{:.2f})", key, value);
  std::puts((line + '}').c_str());
  std::fflush(stdout);
}

void print_ready() {
  std::puts(R"({"ready":true})");
  std::fflush(stdout);
}

std::size_t resident_kb() { return process_status("VmRSS:"); }
std::size_t thread_count() { return process_status("Threads:"); }

gate::gate(const asio::any_io_executor& executor) : timer_(executor, asio::steady_timer::time_point::max()) {}

void gate::open() {
  open_ = true;
  timer_.cancel();
}

asio::awaitable<void> gate::wait() {
  while (!open_) co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
}

asio::awaitable<void> rest(std::chrono::milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<connection> connect_by(const arguments& args) {
  const std::string address = fmt::format("nats://{}:{}", args.text("host", "127.0.0.1"), args.number("port", 4222));
  co_return co_await connect(address);
}

}  // namespace compass_fabric::bench
