// SPDX-License-Identifier: Apache-2.0
// Which servers a connection tries: order, announcements, replacement, choice, back-off, forced reconnect.
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <compass_fabric/testing/cluster.hpp>
#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

const std::string info_text = R"(INFO {"server_id":"X","version":"2.10.0","proto":1,"headers":true,"max_payload":1000)";

// Accepts the login, says nothing more until the client goes.
byte_peer::script accepting(const std::string& members = "") {
  return [members](peer_connection& c) {
    c.send(info_text + members + "}\r\n");
    c.expect_line_starting("CONNECT ");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.expect("PING\r\n");
    c.send("PONG\r\n");
    c.hold();
  };
}

std::vector<std::string> addresses(const connection& nc) {
  std::vector<std::string> all;
  for (const auto& s : nc.servers()) all.push_back(s.address);
  return all;
}

std::string authority_of(const nats_server& server) { return "127.0.0.1:" + std::to_string(server.port()); }

}  // namespace

TEST_CASE("the servers keep their order, or a seed decides on it", "[client][row35]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://127.0.0.1:1");
    options.servers.insert(options.servers.end(), {"nats://127.0.0.1:2", "nats://127.0.0.1:3", server.url()});
    event_log ordered;
    options.on_event = ordered.handler();
    connection nc = co_await connect(options);
    co_await until([&] { return ordered.has(event_kind::connected); });
    CHECK(ordered.servers_of(event_kind::connect_failed) ==
          "nats://127.0.0.1:1 nats://127.0.0.1:2 nats://127.0.0.1:3 ");
    options.randomize_servers = true;
    std::vector<std::string> orders;
    for (const std::uint64_t seed : {1U, 1U, 2U, 3U, 4U, 5U}) {
      options.random_seed = seed;
      options.on_event = nullptr;
      connection shuffled = co_await connect(options);
      std::string order;
      for (const auto& address : addresses(shuffled)) order += address + " ";
      orders.push_back(order);
    }
    CHECK(orders[0] == orders[1]);
    CHECK(std::count(orders.begin(), orders.end(), orders[0]) < 6);
  });
}

TEST_CASE("the members of a cluster are learned, reported once, and can be read", "[client][row36][row37]") {
  nats_server_options node;
  node.jetstream = false;
  cluster servers(node);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(servers.node(0).url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await until([&] { return nc.servers().size() == cluster::size; });
    CHECK(nc.servers()[0].address == authority_of(servers.node(0)));
    CHECK_FALSE(nc.servers()[0].announced);
    CHECK(nc.servers()[1].announced);
    servers.node(2).kill();
    co_await until([&] { return nc.servers().size() == cluster::size - 1; });
    servers.node(2).start();
    co_await until([&] { return nc.servers().size() == cluster::size; });
    std::string reported;
    for (const auto& e : events.of(event_kind::servers_discovered)) reported += e.text + ",";
    for (const std::size_t i : {1U, 2U}) {
      const auto at = reported.find(authority_of(servers.node(i)));
      CHECK(at != std::string::npos);
      CHECK(reported.find(authority_of(servers.node(i)), at + 1) == std::string::npos);  // its return is no news
    }
    CHECK(events.has(event_kind::info_changed));
  });
}

TEST_CASE("C019: announced addresses that cannot be reached never keep the client from the user's server",
          "[client][row36]") {
  const std::string nowhere = R"(,"connect_urls":["127.0.0.1:1","127.0.0.1:2","127.0.0.1:3"])";
  byte_peer peer(std::vector<byte_peer::script>(6, accepting(nowhere)));
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    CHECK(nc.servers().size() == 4);
    for (std::size_t loss = 1; loss <= 5; ++loss) {
      const auto since = clock::now();
      co_await until([&] { return clock::now() - since > 1050ms; });  // the link has proved its server
      nc.reconnect();
      co_await until([&] { return events.count(event_kind::reconnected) == loss; });
    }
    // Each was tried once at most, and then left for last.
    CHECK(events.count(event_kind::connect_failed) <= 3);
  });
}

TEST_CASE("C019: announced addresses can be ignored or filtered", "[client][row36]") {
  const std::string two = R"(,"connect_urls":["127.0.0.1:1","127.0.0.2:2"])";
  byte_peer peer(std::vector<byte_peer::script>(2, accepting(two)));
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(peer.url());
    event_log events;
    options.on_event = events.handler();
    options.use_announced_servers = false;
    {
      connection nc = co_await connect(options);
      CHECK(nc.servers().size() == 1);
      CHECK(nc.info().connect_urls.size() == 2);
      nc.close();
      co_await nc.closed();
    }
    CHECK_FALSE(events.has(event_kind::servers_discovered));
    options.use_announced_servers = true;
    options.accept_announced = [](const std::string& address) { return address.starts_with("127.0.0.2:"); };
    connection nc = co_await connect(options);
    CHECK(addresses(nc).back() == "127.0.0.2:2");
    CHECK(nc.servers().size() == 2);
  });
}

TEST_CASE("a filter of announced servers that throws takes none, and the connection lives", "[client][row37]") {
  const std::string two = R"(,"connect_urls":["127.0.0.1:1","127.0.0.2:2"])";
  byte_peer peer({accepting(two)});
  asio::io_context io(1);
  auto options = options_for(peer.url());
  options.accept_announced = [](const std::string&) -> bool { throw std::runtime_error("from the filter"); };
  std::optional<connection> nc;
  auto connecting = connect(options);
  asio::co_spawn(io, std::move(connecting), [&](std::exception_ptr, connection c) { nc = std::move(c); });
  int thrown = 0;
  for (bool done = false; !done;) {
    try {
      io.restart();
      io.run_for(200ms);
      done = true;
    } catch (const std::runtime_error& e) {
      CHECK(std::string(e.what()) == "from the filter");
      ++thrown;
    }
  }
  CHECK(thrown > 0);
  REQUIRE(nc);
  CHECK(nc->state() == connection_state::connected);
  CHECK(nc->servers().size() == 1);
}

TEST_CASE("the servers can be replaced while running", "[client][row38]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server first(plain);
  nats_server second(plain);
  run([&]() -> asio::awaitable<void> {
    const auto options = options_for(first.url());
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("moved");
    event_log events;
    const auto watch = nc.on_event(events.handler());
    const std::vector<std::string> others{second.url()};
    nc.set_servers(others);
    co_await nc.flush(10s);
    CHECK_FALSE(events.has(event_kind::disconnected));  // the link in use stays
    nc.reconnect();
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(events.last(event_kind::reconnected).server == second.url());
    CHECK(addresses(nc) == std::vector<std::string>{authority_of(second)});
    co_await nc.publish("moved", "here");
    const auto m = co_await sub.next(10s);
    CHECK(m.payload() == "here");
    bool refused = false;
    try {
      nc.set_servers({"nats://bad host"});
    } catch (const system_error& e) {
      refused = e.code() == errc::invalid_url;
    }
    CHECK(refused);
    CHECK(nc.servers().size() == 1);
  });
}

TEST_CASE("new servers are tried at once while the old ones fail", "[client][row38]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.reconnect.initial_delay = 1h;
    options.reconnect.max_delay = 1h;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    const std::vector<std::string> dead{"nats://127.0.0.1:1"};
    nc.set_servers(dead);
    nc.reconnect();
    co_await until([&] { return events.has(event_kind::connect_failed); });
    const std::vector<std::string> alive{server.url()};
    co_await asio::post(asio::use_awaitable);
    nc.set_servers(alive);
    co_await until([&] { return events.has(event_kind::reconnected); });
  });
}

TEST_CASE("a callback chooses the next server", "[client][row39]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server first(plain);
  nats_server second(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://127.0.0.1:1");
    options.servers.push_back(first.url());
    options.servers.push_back(second.url());
    std::string wanted = authority_of(second);
    std::size_t seen = 0;
    options.choose_server = [&](const std::vector<known_server>& all) {
      seen = all.size();
      return wanted;
    };
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    CHECK(seen == 3);
    co_await until([&] { return events.has(event_kind::connected); });
    CHECK(events.last(event_kind::connected).server == second.url());
    wanted = authority_of(first);
    nc.reconnect();
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(events.last(event_kind::reconnected).server == first.url());
    CHECK_FALSE(events.has(event_kind::connect_failed));
    wanted = "127.0.0.1:1";  // refused for ever: each time a pass with its pause
    nc.reconnect();
    co_await until([&] { return events.count(event_kind::connect_failed) >= 3; });
    wanted = "unknown:1";
    co_await until([&] { return events.count(event_kind::reconnected) == 2; });
  });
}

TEST_CASE("the user's own back-off is asked once for every pass", "[client][row40][row41]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.servers.push_back("nats://127.0.0.1:1");
    std::vector<int> passes;
    options.reconnect.backoff = [&](int n) {
      passes.push_back(n);
      return n == 2 ? -5ms : 10ms;
    };
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return passes.size() >= 4; });
    CHECK(std::vector<int>(passes.begin(), passes.begin() + 4) == std::vector<int>{1, 2, 3, 4});
    proxy.accept();
    co_await nc.flush(10s);
  });
}

TEST_CASE("attempts are bounded when the options say so", "[client][row42]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect.max_attempts = 3;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.refuse();
    proxy.reset();
    const auto reason = co_await nc.closed();
    CHECK(reason == asio::error::connection_refused);
    CHECK(events.count(event_kind::connect_failed) == 2);  // the loss of so young a link was the first
  });
}

TEST_CASE("a reconnect can be forced: same subscriptions, next server", "[client][row44][row46]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    connection nc = co_await connect(options);
    event_log events;
    const auto watch = nc.on_event(events.handler());
    auto sub = nc.subscribe("s");
    co_await nc.publish("s", "before");
    const auto id = nc.info().client_id;
    nc.reconnect();
    co_await nc.publish("s", "after");
    co_await until([&] { return events.has(event_kind::reconnected); });
    CHECK(events.last(event_kind::disconnected).error == errc::reconnect_requested);
    CHECK(nc.info().client_id != id);
    co_await nc.flush(10s);
    std::string last;
    while (auto m = sub.try_next()) last = m->payload();
    CHECK(last == "after");
  });
}
