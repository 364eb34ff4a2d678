// SPDX-License-Identifier: Apache-2.0
// What every measured operation needs: flags, a stopwatch of wall and processor time, memory figures and the result
// line.
#pragma once

#include <compass_fabric/connection.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::bench {

namespace asio = boost::asio;

/// Command line of `--name value` pairs; flags nobody asks for are ignored.
class arguments {
 public:
  /// Throws std::runtime_error unless every flag has its two dashes and a value.
  arguments(int count, const char* const* values);

  std::string text(std::string_view name, std::string_view otherwise) const;
  /// Throws std::runtime_error for anything but a whole number of at least 0.
  std::size_t number(std::string_view name, std::size_t otherwise) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

/// Wall time and the processor time of all threads, read at the same two points.
class stopwatch {
 public:
  void start();
  void stop();
  std::chrono::nanoseconds wall() const noexcept { return wall_; }
  std::chrono::nanoseconds processor() const noexcept { return processor_; }

 private:
  std::chrono::nanoseconds wall_start_{0}, processor_start_{0};
  std::chrono::nanoseconds wall_{0}, processor_{0};
};

/// What one run found out. Printed as one JSON line.
struct result {
  std::size_t payload = 0;
  std::size_t operations = 0;
  stopwatch time;
  /// Of every operation; empty where it is not measured.
  std::vector<std::chrono::nanoseconds> latencies;
  /// Figures of one kind of run only, by key.
  std::vector<std::pair<std::string, double>> further;
};

void print(const arguments& args, const result& r);
/// Tells whoever feeds a receiver that it may start.
void print_ready();

/// Of this process, in KiB.
std::size_t resident_kb();
std::size_t thread_count();

/// Lets a coroutine wait for something that a handler notices.
class gate {
 public:
  explicit gate(const asio::any_io_executor& executor);
  void open();
  asio::awaitable<void> wait();

 private:
  asio::steady_timer timer_;
  bool open_ = false;
};

asio::awaitable<void> rest(std::chrono::milliseconds time);
/// Connects to `--host` and `--port`.
asio::awaitable<connection> connect_by(const arguments& args);

}  // namespace compass_fabric::bench
