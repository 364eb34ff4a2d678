// SPDX-License-Identifier: Apache-2.0
#include "operations.hpp"

#include <boost/asio/this_coro.hpp>

#include <stdexcept>

namespace compass_fabric::bench {
namespace {

constexpr auto patience = std::chrono::minutes(1);

// What the user's code does with each message: it reads the size and counts.
class counter {
 public:
  counter(result& r, const asio::any_io_executor& executor) : result_(r), complete_(executor) {}

  void take(std::size_t size) {
    if (count_ == 0) result_.time.start();
    bytes_ += size;
    if (++count_ != result_.operations) return;
    result_.time.stop();
    complete_.open();
  }
  bool complete() const noexcept { return count_ == result_.operations; }
  asio::awaitable<void> wait() { return complete_.wait(); }
  void check() const {
    if (bytes_ != result_.operations * result_.payload) throw std::runtime_error("the payloads have the wrong size");
  }

 private:
  result& result_;
  gate complete_;
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

asio::awaitable<void> receive_in_handler(connection& nc, const std::string& subject, counter& seen,
                                         const message_handler& handler) {
  const subscription sub = nc.subscribe(subject, handler);
  co_await nc.flush();
  print_ready();
  co_await seen.wait();
}

asio::awaitable<void> receive_by_next(connection& nc, const std::string& subject, counter& seen) {
  subscription sub = nc.subscribe(subject);
  co_await nc.flush();
  print_ready();
  while (!seen.complete()) {
    const message m = co_await sub.next(patience);
    seen.take(m.payload().size());
  }
}

asio::awaitable<void> receive_by_batch(connection& nc, const std::string& subject, counter& seen) {
  subscription sub = nc.subscribe(subject);
  co_await nc.flush();
  print_ready();
  while (!seen.complete()) {
    const std::vector<message> batch = co_await sub.next_batch(patience);
    for (const message& m : batch) seen.take(m.payload().size());
  }
}

}  // namespace

asio::awaitable<result> run_sub(const arguments& args) {
  result r;
  r.payload = args.number("size", 128);
  r.operations = args.number("msgs", 100000);
  const std::string subject = args.text("subject", "bench");
  const std::string style = args.text("style", "default");
  connection nc = co_await connect_by(args);
  counter seen(r, nc.get_executor());
  if (style == "view") {
    const message_handler count_view = [&seen](const message_view& m) { seen.take(m.payload.size()); };
    co_await receive_in_handler(nc, subject, seen, count_view);
  } else if (style == "owned") {
    const message_handler count_owned = [&seen](const message_view& m) { seen.take(message(m).payload().size()); };
    co_await receive_in_handler(nc, subject, seen, count_owned);
  } else if (style == "batch") {
    co_await receive_by_batch(nc, subject, seen);
  } else {
    co_await receive_by_next(nc, subject, seen);
  }
  seen.check();
  co_return r;
}

}  // namespace compass_fabric::bench
