// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/fault_proxy.hpp>

#include "testing/free_port.hpp"
#include "testing/proxy_link.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <future>
#include <list>
#include <thread>
#include <utility>

namespace compass_fabric::testing {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

tcp::endpoint loopback(std::uint16_t port) { return {asio::ip::address_v4::loopback(), port}; }

}  // namespace

class fault_proxy::engine {
 public:
  engine(std::uint16_t upstream, std::uint64_t seed) : upstream_(upstream), random_(seed) {
    listen();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~engine() {
    io_.stop();
    thread_.join();
  }

  // Runs `action(*this)` on the proxy's thread and returns what it returns.
  template <class Action>
  auto on_thread(Action action) {
    std::packaged_task<decltype(action(*this))()> task([this, &action] { return action(*this); });
    auto result = task.get_future();
    asio::post(io_, [&task] { task(); });
    return result.get();
  }

  template <class Action>
  void for_each_link(Action action) {
    for (const auto& weak : links_) {
      if (const auto link = weak.lock()) action(*link);
    }
  }

  proxy_rules& rules(direction way) { return rules_[static_cast<std::size_t>(way)]; }

  void set_flow(direction way, flow state) {
    rules(way).state = state;
    for_each_link([way](proxy_link& link) { link.wake(way); });
  }

  void listen() {
    if (acceptor_.is_open()) return;
    acceptor_.open(tcp::v4());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(loopback(port_));
    acceptor_.listen();
    asio::co_spawn(io_, accept_loop(), asio::detached);
  }

  void refuse() { acceptor_.close(); }

  std::size_t open_links() const {
    std::size_t count = 0;
    for (const auto& link : links_) count += link.expired() ? 0U : 1U;
    return count;
  }

  const std::uint16_t port_ = free_port();
  std::uint16_t upstream_;
  std::size_t taken_ = 0;

 private:
  asio::awaitable<void> accept_loop() {
    for (;;) {
      error_code failed;
      auto client = co_await acceptor_.async_accept(asio::redirect_error(asio::use_awaitable, failed));
      if (failed) co_return;  // refusing
      ++taken_;
      auto work = connect(std::move(client));
      asio::co_spawn(io_, std::move(work), asio::detached);
    }
  }

  asio::awaitable<void> connect(tcp::socket client) {
    tcp::socket server(io_);
    error_code failed;
    co_await server.async_connect(loopback(upstream_), asio::redirect_error(asio::use_awaitable, failed));
    if (failed || !acceptor_.is_open()) co_return;  // the client's socket closes with this frame
    const auto cut_all = [this] { cut_at_byte(); };
    auto link = std::make_shared<proxy_link>(std::move(client), std::move(server), rules_, random_, cut_all);
    links_.remove_if([](const auto& weak) { return weak.expired(); });
    links_.push_back(link);
    link->start();
  }

  void cut_at_byte() {
    for (auto& rule : rules_) rule.cut_after.reset();
    for_each_link([](proxy_link& link) { link.cut(); });
  }

  std::mt19937_64 random_;
  proxy_rule_pair rules_;
  std::list<std::weak_ptr<proxy_link>> links_;
  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
  tcp::acceptor acceptor_{io_};
  std::thread thread_;
};

fault_proxy::fault_proxy(std::uint16_t upstream_port, std::uint64_t seed)
    : engine_(std::make_unique<engine>(upstream_port, seed)) {}

fault_proxy::~fault_proxy() = default;

std::uint16_t fault_proxy::port() const { return engine_->port_; }

std::string fault_proxy::url() const { return "nats://127.0.0.1:" + std::to_string(port()); }

void fault_proxy::set_upstream(std::uint16_t port) {
  engine_->on_thread([=](engine& e) { e.upstream_ = port; });
}

void fault_proxy::rechunk(direction way, std::size_t least, std::size_t most) {
  engine_->on_thread([=](engine& e) {
    e.rules(way).least = least;
    e.rules(way).most = most;
  });
}

void fault_proxy::delay(direction way, milliseconds time) {
  engine_->on_thread([=](engine& e) { e.rules(way).delay = time; });
}

void fault_proxy::pause(direction way) {
  engine_->on_thread([=](engine& e) { e.set_flow(way, flow::paused); });
}

void fault_proxy::blackhole(direction way) {
  engine_->on_thread([=](engine& e) { e.set_flow(way, flow::blackhole); });
}

void fault_proxy::resume(direction way) {
  engine_->on_thread([=](engine& e) { e.set_flow(way, flow::open); });
}

void fault_proxy::rewrite(direction way, rewriter change) {
  engine_->on_thread([&](engine& e) {
    e.rules(way).change = std::move(change);
    e.for_each_link([way](proxy_link& link) { link.take_rewriter(way); });
  });
}

void fault_proxy::half_close(direction way) {
  engine_->on_thread([=](engine& e) { e.for_each_link([way](proxy_link& link) { link.half_close(way); }); });
}

void fault_proxy::cut() {
  engine_->on_thread([](engine& e) { e.for_each_link([](proxy_link& link) { link.cut(); }); });
}

void fault_proxy::reset() {
  engine_->on_thread([](engine& e) { e.for_each_link([](proxy_link& link) { link.reset(); }); });
}

void fault_proxy::cut_after(direction way, std::uint64_t count) {
  engine_->on_thread([=](engine& e) { e.rules(way).cut_after = count; });
}

void fault_proxy::refuse() {
  engine_->on_thread([](engine& e) { e.refuse(); });
}

void fault_proxy::accept() {
  engine_->on_thread([](engine& e) { e.listen(); });
}

std::uint64_t fault_proxy::bytes(direction way) const {
  return engine_->on_thread([=](engine& e) { return e.rules(way).bytes; });
}

std::size_t fault_proxy::connections() const {
  return engine_->on_thread([](engine& e) { return e.taken_; });
}

std::size_t fault_proxy::open_connections() const {
  return engine_->on_thread([](engine& e) { return e.open_links(); });
}

}  // namespace compass_fabric::testing
