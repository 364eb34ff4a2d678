// SPDX-License-Identifier: Apache-2.0
#include "soak/soak.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <compass_fabric/compass_fabric.hpp>
#include <compass_fabric/jetstream/jetstream.hpp>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <set>
#include <thread>

#include <compass_fabric/testing/cluster.hpp>
#include <compass_fabric/testing/container_network.hpp>
#include <compass_fabric/testing/eventually.hpp>
#include <compass_fabric/testing/fault_proxy.hpp>

#include "testing/server_host.hpp"

namespace compass_fabric::testing {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr std::size_t writers = 4;
constexpr auto pace = 5ms;
constexpr milliseconds patience{60'000};

nats_server_options node_options() {
  nats_server_options node;
  if (prefers_containers()) node.network = std::make_shared<container_network>();
  node.extra_config = "lame_duck_grace_period: 10s\nlame_duck_duration: 30s\n";
  return node;
}

std::size_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  std::size_t pages = 0;
  statm >> pages >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

asio::awaitable<void> wait(milliseconds time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

/// The clients run on one thread, trouble is made on another; they share the counters.
class soak_run {
 public:
  soak_report run(seconds length);

 private:
  connect_options options();
  asio::awaitable<void> clients();
  asio::awaitable<void> prepare(connection nc);
  asio::awaitable<void> write(jetstream::context js, std::uint64_t number);
  asio::awaitable<void> tick(connection nc);
  asio::awaitable<void> check_stream();
  void make_trouble(seconds length);
  void cut_link(fault_proxy& link);
  void trouble(std::size_t kind, std::size_t index);
  void expect_recovery(const std::string& after);
  void hold(milliseconds time) {
    eventually_blocking([] { return false; }, time);
  }
  void check_logs();
  void fault(const std::string& text) {
    const std::lock_guard lock(mutex_);
    report_.faults.push_back(text);
  }
  void spawn(asio::awaitable<void> work) {
    ++working_;
    asio::co_spawn(io_, std::move(work), [this](std::exception_ptr e) {
      --working_;
      if (e) client_failure_ = e;
    });
  }

  const nats_server_options node_{node_options()};
  cluster servers_{node_};
  // Stand between clients and nodes that cannot be taken off their network.
  std::array<std::unique_ptr<fault_proxy>, cluster::size> links_;
  asio::io_context io_{1};
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> received_{0};
  std::atomic<std::uint64_t> acknowledged_{0};
  std::atomic<std::uint64_t> reconnects_{0};
  std::atomic<bool> ready_{false};
  int working_ = 0;
  std::exception_ptr client_failure_;
  std::set<std::uint64_t> acked_;
  std::mutex mutex_;  // of the faults
  soak_report report_;
};

connect_options soak_run::options() {
  connect_options o;
  o.servers.clear();
  for (std::size_t i = 0; i != cluster::size; ++i) {
    o.servers.push_back(links_[i] ? links_[i]->url() : servers_.node(i).url());
  }
  o.randomize_servers = true;
  o.use_announced_servers = false;  // they would lead past the proxies
  o.connect_timeout = 1s;
  o.ping_interval = 500ms;
  o.on_event = [this](const connection_event& e) {
    if (e.kind == event_kind::reconnected) ++reconnects_;
    if (e.kind == event_kind::server_error && e.error == errc::protocol_error) fault("server error: " + e.text);
  };
  return o;
}

asio::awaitable<void> soak_run::prepare(connection nc) {
  jetstream::context js(nc);
  jetstream::stream_config config;
  config.name = "SOAK";
  config.subjects = {"soak.stored"};
  config.replicas = 3;
  co_await js.create_stream(config);
}

// One message after another, each until it is acknowledged; the message id makes sending it again harmless.
asio::awaitable<void> soak_run::write(jetstream::context js, std::uint64_t number) {
  for (; !stop_; number += writers) {
    const std::string text = std::to_string(number);
    jetstream::publish_options with_id;
    with_id.message_id = text;
    bool stored = false;
    while (!stored && !stop_) {
      try {
        co_await js.publish("soak.stored", text, with_id);
        stored = true;
      } catch (const system_error&) {  // during an outage; tried again
      }
      if (!stored) co_await wait(50ms);
    }
    if (!stored) break;
    acked_.insert(number);
    ++acknowledged_;
    co_await wait(pace);
  }
}

asio::awaitable<void> soak_run::tick(connection nc) {
  const std::string payload(100, 't');
  while (!stop_) {
    nc.try_publish("soak.tick", payload);
    co_await wait(pace);
  }
}

asio::awaitable<void> soak_run::clients() {
  const auto each = options();
  connection writer = co_await connect(each);
  connection ticker = co_await connect(each);
  connection reader = co_await connect(each);
  co_await prepare(writer);
  auto ticks = reader.subscribe("soak.tick", [this](const message_view&) { ++received_; });
  co_await reader.flush();
  const jetstream::context js(writer);
  for (std::size_t i = 0; i != writers; ++i) spawn(write(js, i));
  spawn(tick(ticker));
  ready_ = true;
  while (!stop_ || working_ > 1) co_await wait(20ms);
  co_await check_stream();
}

// Reads the whole stream past the proxies.
asio::awaitable<void> soak_run::check_stream() {
  connection nc = co_await connect(servers_.urls());
  jetstream::context js(nc);
  jetstream::consumer_config everything;
  everything.name = "CHECK";
  const auto info = co_await js.stream_info("SOAK");
  co_await js.create_consumer("SOAK", everything);
  auto consumer = js.consumer("SOAK", "CHECK");
  std::set<std::uint64_t> found;
  jetstream::fetch_options patient;
  std::uint64_t read = 0;
  while (read < info.state.messages) {
    auto batch = co_await consumer.fetch(500, patient);
    for (auto& m : batch.messages) {
      found.insert(std::stoull(std::string(m.payload())));
      m.ack();
    }
    read += batch.messages.size();
    if (batch.messages.empty()) {
      fault("the stream cannot be read to its end: " + batch.text);
      break;
    }
  }
  for (const auto number : acked_) {
    if (found.count(number) != 0) {
      ++report_.stored;
    } else {
      fault("acknowledged and not on the stream: " + std::to_string(number));
    }
  }
}

void soak_run::expect_recovery(const std::string& after) {
  const auto received = received_.load();
  const auto acknowledged = acknowledged_.load();
  const auto flows = [&] { return received_ >= received + 20 && acknowledged_ >= acknowledged + 20; };
  if (!eventually_blocking(flows, patience)) {
    fault("after " + after + ": " + std::to_string(received_ - received) + " messages and " +
          std::to_string(acknowledged_ - acknowledged) + " acknowledgements within a minute");
    stop_ = true;
  }
}

void soak_run::cut_link(fault_proxy& link) {
  link.blackhole(direction::to_client);
  link.blackhole(direction::to_server);
  hold(3s);
  link.reset();
  link.resume(direction::to_client);
  link.resume(direction::to_server);
}

void soak_run::trouble(std::size_t kind, std::size_t index) {
  auto& node = servers_.node(index);
  const auto revive = [&] {
    node.kill();
    node.start();
    node.wait_ready(patience);
  };
  if (kind == 0) {
    node.lame_duck();
    hold(2s);
    revive();
  } else if (kind == 1) {
    revive();
  } else if (kind == 2) {
    node.pause();
    hold(3s);
    node.resume();
  } else if (node_.network) {
    node.disconnect_network();
    hold(4s);
    node.connect_network();
  } else {
    cut_link(*links_[index]);
  }
}

void soak_run::make_trouble(seconds length) {
  static constexpr std::array kinds{"lame duck", "kill -9", "pause", "network cut"};
  const deadline end(length);
  for (std::size_t n = 0; !stop_ && (n < kinds.size() || !end.passed()); ++n) {
    // Every kind meets every node once in twelve.
    const std::size_t kind = n % kinds.size();
    const std::size_t index = (n + n / kinds.size()) % cluster::size;
    const std::string name = std::string(kinds[kind]) + " of node " + std::to_string(index);
    std::fprintf(stderr, "soak: %s (%llu received, %llu acknowledged)\n", name.c_str(),
                 static_cast<unsigned long long>(received_), static_cast<unsigned long long>(acknowledged_));
    trouble(kind, index);
    expect_recovery(name);
    ++report_.troubles;
    if (n + 1 == kinds.size()) report_.memory_early = resident_memory();
  }
  report_.memory_late = resident_memory();
}

void soak_run::check_logs() {
  for (std::size_t i = 0; i != cluster::size; ++i) {
    const auto log = servers_.node(i).log();
    for (const char* const complaint : {"arser", "Unknown Protocol", "maximum control line"}) {
      const auto at = log.find(complaint);
      if (at != log.npos) fault("log of node " + std::to_string(i) + ": " + log.substr(at > 80 ? at - 80 : 0, 200));
    }
  }
}

soak_report soak_run::run(seconds length) {
  for (std::size_t i = 0; i != cluster::size && !node_.network; ++i) {
    links_[i] = std::make_unique<fault_proxy>(servers_.node(i).port());
  }
  spawn(clients());
  std::thread loop([this] { io_.run(); });
  if (eventually_blocking([&] { return ready_.load(); }, patience)) {
    try {
      expect_recovery("start");
      make_trouble(length);
      servers_.wait_leader();
    } catch (const std::exception& e) {
      fault(e.what());
    }
  } else {
    fault("the clients did not start");
    io_.stop();
  }
  stop_ = true;
  loop.join();
  try {
    if (client_failure_) std::rethrow_exception(client_failure_);
  } catch (const std::exception& e) {
    fault(std::string("client: ") + e.what());
  }
  check_logs();
  report_.reconnects = reconnects_;
  report_.received = received_;
  report_.acknowledged = acknowledged_;
  return report_;
}

}  // namespace

soak_report soak(seconds length) { return soak_run().run(length); }

}  // namespace compass_fabric::testing
