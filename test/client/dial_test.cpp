// SPDX-License-Identifier: Apache-2.0
// Which address of a host is used, and from where.
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>

#include "client/dialer.hpp"
#include "fixture.hpp"
#include "support/deaf_listener.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

using addresses = std::vector<std::string>;

/// A resolver that gives `answers` one after another, the last for ever.
resolve_function answering(std::vector<addresses> answers) {
  auto at = std::make_shared<std::size_t>(0);
  auto list = std::make_shared<std::vector<addresses>>(std::move(answers));
  return [at, list](std::string) -> asio::awaitable<addresses> {
    const auto index = std::min(*at, list->size() - 1);
    ++*at;
    co_return (*list)[index];
  };
}

connect_options named(std::uint16_t port, std::vector<addresses> answers) {
  auto o = options_for("nats://nats.test:" + std::to_string(port));
  o.dial.resolve = answering(std::move(answers));
  return o;
}

nats_server_options quick() {
  nats_server_options o;
  o.jetstream = false;
  return o;
}

bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("C014: a host whose first addresses refuse is reached by the next", "[client][row2]") {
  nats_server server(quick());
  run([&]() -> asio::awaitable<void> {
    auto options = named(server.port(), {{"::1", "127.0.0.2", "127.0.0.1"}});
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
    options = options_for("nats://localhost:" + std::to_string(server.port()));
    connection local = co_await connect(options);
    co_await local.flush(5s);
  });
}

TEST_CASE("C014: a host whose first address is silent is reached by the next after the stagger", "[client][row3]") {
  nats_server server(quick());
  const deaf_listener deaf("127.0.0.2", server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = named(server.port(), {{"127.0.0.2", "127.0.0.1"}});
    options.dial.stagger = 100ms;
    options.connect_timeout = 10s;
    event_log events;
    options.on_event = events.handler();
    const auto start = clock::now();
    connection nc = co_await connect(options);
    const auto took = clock::now() - start;
    CHECK(took >= 100ms);
    CHECK(took < 9s);
    co_await nc.flush(5s);
    CHECK_FALSE(events.has(event_kind::connect_failed));
  });
}

TEST_CASE("C014: a name is resolved again at every attempt", "[client][row2]") {
  nats_server server(quick());
  run([&]() -> asio::awaitable<void> {
    auto options = named(server.port(), {{"127.0.0.2"}, {"127.0.0.3"}, {"127.0.0.1"}});
    options.retry_on_initial_connect = true;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    CHECK(events.count(event_kind::connect_failed) == 2);
  });
}

TEST_CASE("when no address answers, each is told with its reason", "[client][row2]") {
  nats_server server(quick());
  run([&]() -> asio::awaitable<void> {
    const auto options = named(server.port(), {{"127.0.0.2", "127.0.0.3"}});
    const auto text = co_await text_of(connect(options));
    CHECK(says(text, "127.0.0.2: Connection refused"));
    CHECK(says(text, "127.0.0.3: Connection refused"));
    const auto code = co_await code_of(connect(options));
    CHECK(code == asio::error::connection_refused);
  });
}

TEST_CASE("families can be excluded", "[client][row2]") {
  nats_server server(quick());
  run([&]() -> asio::awaitable<void> {
    auto options = named(server.port(), {{"127.0.0.1"}});
    options.dial.order = address_order::ipv6_only;
    const auto code = co_await code_of(connect(options));
    CHECK(code == asio::error::host_not_found);
    options.dial.order = address_order::ipv4_only;
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
  });
}

TEST_CASE("a resolver that fails or never answers ends the attempt", "[client][row2]") {
  run([]() -> asio::awaitable<void> {
    auto options = options_for("nats://nats.test:4222");
    options.dial.resolve = [](std::string) -> asio::awaitable<addresses> {
      throw system_error(asio::error::host_not_found_try_again);
      co_return addresses{};
    };
    auto code = co_await code_of(connect(options));
    CHECK(code == asio::error::host_not_found_try_again);
    options.dial.resolve = [](std::string) -> asio::awaitable<addresses> {
      throw std::runtime_error("no");
      co_return addresses{};
    };
    code = co_await code_of(connect(options));
    CHECK(code == asio::error::host_not_found);
    bool cancelled = false;
    options.dial.resolve = [&cancelled](std::string) -> asio::awaitable<addresses> {
      asio::steady_timer forever(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
      const auto [ec] = co_await forever.async_wait(asio::as_tuple(asio::use_awaitable));
      cancelled = ec == asio::error::operation_aborted;
      co_return addresses{};
    };
    options.connect_timeout = 100ms;
    code = co_await code_of(connect(options));
    CHECK(code == errc::timeout);
    co_await until([&] { return cancelled; });  // nothing is left behind
  });
}

TEST_CASE("the local address is the one asked for", "[client][row21]") {
  nats_server server(quick());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.dial.local_address = "127.0.0.9";
    connection nc = co_await connect(options);
    co_await nc.flush(5s);
    CHECK(says(server.monitor("/connz"), "\"ip\": \"127.0.0.9\""));
    options.dial.local_address = "192.0.2.1";  // nobody's
    const auto code = co_await code_of(connect(options));
    CHECK(code == boost::system::errc::address_not_available);
  });
}

TEST_CASE("socket buffers have the size asked for, and Nagle is off", "[client][row1][row22]") {
  run([]() -> asio::awaitable<void> {
    const auto executor = co_await asio::this_coro::executor;
    asio::ip::tcp::acceptor acceptor(executor, {asio::ip::address_v4::loopback(), 0});
    dial_options options;
    options.send_buffer = 50'000;
    options.receive_buffer = 60'000;
    client::dialer dialer(executor, options);
    const auto failure = co_await dialer.connect("127.0.0.1", acceptor.local_endpoint().port());
    REQUIRE_FALSE(failure);
    auto socket = dialer.take();
    asio::socket_base::send_buffer_size send;
    asio::socket_base::receive_buffer_size receive;
    asio::ip::tcp::no_delay no_delay;
    socket.get_option(no_delay);
    CHECK(no_delay.value());
    socket.get_option(send);
    socket.get_option(receive);
    // The kernel reports twice what was set.
    CHECK(send.value() >= 50'000);
    CHECK(send.value() <= 100'000);
    CHECK(receive.value() >= 60'000);
    CHECK(receive.value() <= 120'000);
  });
}

TEST_CASE("options of dialing out of range are refused before anything is sent", "[client][row21]") {
  run([]() -> asio::awaitable<void> {
    auto options = options_for("nats://127.0.0.1:1");
    options.dial.local_address = "eth0";
    auto code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options.dial = {};
    options.dial.stagger = 0ms;
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
    options.dial = {};
    options.dial.send_buffer = std::size_t{1} << 40;
    code = co_await code_of(connect(options));
    CHECK(code == errc::invalid_option);
  });
}
