// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("C022 nobody listening and somebody slow are different errors", "[client]") {
  nats_server_options no_jetstream;
  no_jetstream.jetstream = false;
  nats_server server(no_jetstream);
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const auto start = clock::now();
    auto code = co_await code_of(nc.request("nobody", ""));
    CHECK(code == errc::no_responders);
    CHECK(clock::now() - start < 2s);  // not the five seconds of the timeout
    auto mute = nc.subscribe("mute");
    request_options brief;
    brief.timeout = 50ms;
    code = co_await code_of(nc.request("mute", "", brief));
    CHECK(code == errc::timeout);
    code = co_await code_of(nc.request("$JS.API.INFO", ""));
    CHECK(code == errc::no_responders);
    const auto text = co_await text_of(nc.request("nobody", ""));
    CHECK(text.find("nobody") != std::string::npos);
    CHECK(nc.stats().pending_requests == 0);
  });
}

TEST_CASE("C024 a request in flight ends when the link drops", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    connection responder = co_await connect(server.url());
    auto asked = responder.subscribe("slow");
    connection nc = co_await connect(proxy.url());
    request_options patient;
    patient.timeout = 20s;
    std::optional<error_code> ended;
    asio::co_spawn(nc.get_executor(), code_of(nc.request("slow", "", patient)),
                   [&](std::exception_ptr, error_code ec) { ended = ec; });
    const auto question = co_await asked.next(5s);
    proxy.reset();
    co_await until([&] { return ended.has_value(); });
    CHECK(*ended == errc::connection_lost);
    // The late answer finds nobody, and the connection goes on.
    co_await responder.publish(question.reply(), "late");
    auto code = co_await code_of(nc.flush(5s));
    CHECK(!code);
    CHECK(nc.stats().pending_requests == 0);
  });
}

TEST_CASE("C024 a request may outlive the link when told to", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    connection responder = co_await connect(server.url());
    auto asked = responder.subscribe("slow");
    auto options = options_for(proxy.url());
    options.fail_requests_on_disconnect = false;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    std::string answer;
    request_options patient;
    patient.timeout = 20s;
    asio::co_spawn(nc.get_executor(), nc.request("slow", "", patient),
                   [&](std::exception_ptr, message m) { answer = m.payload(); });
    const auto question = co_await asked.next(5s);
    proxy.reset();
    co_await until([&] { return events.has(event_kind::reconnected); });
    co_await responder.publish(question.reply(), "kept");
    co_await until([&] { return answer == "kept"; });
  });
}

TEST_CASE("C025 answered, timed-out and cancelled requests leave nothing behind", "[client]") {
  nats_server server;
  run(
      [&]() -> asio::awaitable<void> {
        connection nc = co_await connect(server.url());
        auto echo = nc.subscribe("echo", [&](const message_view& m) { nc.try_publish(m.reply, m.payload); });
        auto mute = nc.subscribe("mute");
        request_options brief;
        brief.timeout = 1ms;
        int timed_out = 0;
        int cancelled = 0;
        for (int i = 0; i < 300; ++i) {
          const auto m = co_await nc.request("echo", "x");
          CHECK(m.payload() == "x");
          const auto code = co_await code_of(nc.request("mute", "", brief));
          timed_out += code == errc::timeout;
          asio::cancellation_signal cancel;
          auto ended = std::make_shared<std::optional<error_code>>();
          auto done = [ended](std::exception_ptr e, message) { *ended = to_error_code(e); };
          asio::co_spawn(nc.get_executor(), nc.request("mute", ""), asio::bind_cancellation_slot(cancel.slot(), done));
          co_await until([&] { return nc.stats().pending_requests == 1; });
          cancel.emit(asio::cancellation_type::terminal);
          co_await until([&] { return ended->has_value(); });
          cancelled += **ended == asio::error::operation_aborted;
        }
        CHECK(timed_out == 300);
        CHECK(cancelled == 300);
        CHECK(nc.stats().pending_requests == 0);
        co_await nc.flush(5s);
        const auto connections = server.monitor("/connz?subs=1");
        // echo, mute and the one inbox of all requests
        CHECK(connections.find("\"subscriptions\": 3") != std::string::npos);
      },
      60s);
}

TEST_CASE("replies come to an inbox under the prefix that was chosen", "[client][row88]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.inbox_prefix = "ann.private";
    connection nc = co_await connect(options);
    std::vector<std::string> inboxes;
    const auto answer = [&](const message_view& m) {
      inboxes.emplace_back(m.reply);
      nc.try_respond(m, "");
    };
    auto responder = nc.subscribe("echo", answer);
    co_await nc.request("echo", "");
    request_many_options own;
    own.own_inbox = true;
    own.max_replies = 1;
    co_await nc.request_many("echo", "", own);
    inboxes.push_back(nc.new_inbox());
    REQUIRE(inboxes.size() == 3);
    for (const auto& inbox : inboxes) CHECK(inbox.starts_with("ann.private."));
  });
}

TEST_CASE("C045 a second answer is never taken for the answer to a later request", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    connection other = co_await connect(server.url());
    auto first = other.subscribe("q", [&](const message_view& m) { other.try_publish(m.reply, m.payload); });
    auto second = other.subscribe("q", [&](const message_view& m) {
      other.try_publish(m.reply, m.payload);
      other.try_publish(m.reply, m.payload);
    });
    co_await other.flush(5s);
    for (int i = 0; i < 500; ++i) {
      const auto question = std::to_string(i);
      const auto m = co_await nc.request("q", question);
      REQUIRE(m.payload() == question);
    }
  });
}

TEST_CASE("C079 cancelling requests leaves the others and the link alone", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    connection responder = co_await connect(server.url());
    auto asked = responder.subscribe("work");
    co_await responder.flush(5s);
    const auto id = nc.info().client_id;
    std::vector<asio::cancellation_signal> signals(100);
    int answered = 0;
    int aborted = 0;
    for (std::size_t i = 0; i < signals.size(); ++i) {
      auto done = [&](std::exception_ptr e, message) { ++(e ? aborted : answered); };
      asio::co_spawn(nc.get_executor(), nc.request("work", "x"), asio::bind_cancellation_slot(signals[i].slot(), done));
    }
    co_await until([&] { return asked.stats().received == 50 || asked.stats().received == 100; });
    for (std::size_t i = 0; i < signals.size(); i += 2) signals[i].emit(asio::cancellation_type::total);
    for (std::size_t i = 0; i < signals.size(); i += 2) signals[i].emit(asio::cancellation_type::terminal);
    for (int i = 0; i < 100; ++i) {
      const auto m = co_await asked.next(5s);
      co_await responder.publish(m.reply(), "done");
    }
    co_await until([&] { return answered + aborted == 100; });
    CHECK(answered == 50);
    CHECK(aborted == 50);
    CHECK(nc.info().client_id == id);
    CHECK(nc.stats().reconnects == 0);
  });
}
