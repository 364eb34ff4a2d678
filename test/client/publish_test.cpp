// SPDX-License-Identifier: Apache-2.0
#include <random>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("a publish reaches a subscriber with its headers and reply", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("orders.*");
    headers fields;
    fields.add("X-Trace", "1").add("X-Trace", "2");
    publish_options options;
    options.reply = "answers";
    options.fields = &fields;
    co_await nc.publish("orders.new", "body", options);
    const auto m = co_await sub.next(5s);
    CHECK(m.subject() == "orders.new");
    CHECK(m.reply() == "answers");
    CHECK(m.payload() == "body");
    CHECK(m.headers().get_all("X-Trace") == std::vector<std::string_view>{"1", "2"});
  });
}

TEST_CASE("a subject that could inject protocol is refused before a byte leaves", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const std::vector<std::string> bad{"", "a b", "a\r\nPUB x", "a..b", ".a", "a.", "a.*", ">", {'a', '\0', 'b'}};
    for (const auto& subject : bad) {
      INFO("subject " << subject);
      const auto code = co_await code_of(nc.publish(subject, "x"));
      CHECK(code == errc::invalid_subject);
      CHECK(nc.try_publish(subject, "x") == errc::invalid_subject);
    }
    publish_options bad_reply;
    bad_reply.reply = "in box";
    CHECK(nc.try_publish("a", "x", bad_reply) == errc::invalid_subject);
    CHECK(nc.stats().out_messages == 0);
    co_await nc.flush(5s);
    CHECK(server.log().find("Unknown Protocol") == std::string::npos);
  });
}

TEST_CASE("C036 header bytes count against max_payload, to the byte", "[client]") {
  nats_server_options small;
  small.max_payload = 65536;
  nats_server server(small);
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("big");
    const std::string exact(65536, 'x');
    co_await nc.publish("big", exact);
    auto m = co_await sub.next(5s);
    CHECK(m.payload() == exact);
    headers fields;
    fields.add("A", "b");
    const std::size_t block = std::string_view("NATS/1.0\r\nA: b\r\n\r\n").size();
    publish_options with_header;
    with_header.fields = &fields;
    co_await nc.publish("big", std::string_view(exact).substr(block), with_header);
    m = co_await sub.next(5s);
    CHECK(m.payload().size() == 65536 - block);
    CHECK(nc.try_publish("big", std::string_view(exact).substr(block - 1), with_header) == errc::max_payload_exceeded);
    const auto text = co_await text_of(nc.publish("big", exact + "y"));
    CHECK(text.find("65537") != std::string::npos);
    CHECK(text.find("65536") != std::string::npos);
    CHECK(text.find("big") != std::string::npos);
    co_await nc.flush(5s);
    CHECK(nc.stats().reconnects == 0);
  });
}

TEST_CASE("C036 a buffered publish too large for the next server is given up alone", "[client]") {
  nats_server roomy;
  nats_server_options small;
  small.max_payload = 65536;
  nats_server strict(small);
  fault_proxy proxy(roomy.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    connection reader = co_await connect(strict.url());
    auto sub = reader.subscribe("data");
    co_await reader.flush(5s);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    co_await nc.publish("data", "before");
    co_await nc.publish("data", std::string(500'000, 'x'));
    co_await nc.publish("data", "after");
    proxy.set_upstream(strict.port());
    proxy.accept();
    auto m = co_await sub.next(5s);
    CHECK(m.payload() == "before");
    m = co_await sub.next(5s);
    CHECK(m.payload() == "after");
    const auto dropped = events.last(event_kind::publish_dropped);
    CHECK(dropped.subject == "data");
    CHECK(dropped.count == 500'000);
    CHECK(nc.stats().dropped_publishes == 1);
    CHECK(nc.stats().replayed_publishes == 2);
    CHECK(nc.stats().reconnects == 1);
  });
}

TEST_CASE("C038 publishes made while disconnected arrive in order, within the buffer", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect_buffer = 1000;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    connection reader = co_await connect(server.url());
    auto sub = reader.subscribe("n");
    co_await reader.flush(5s);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    int kept = 0;
    error_code overflow;
    while (!overflow) {
      const auto code = co_await code_of(nc.publish("n", std::to_string(kept)));
      overflow = code;
      if (!code) ++kept;
    }
    CHECK(overflow == errc::outbox_full);
    CHECK(kept > 50);
    proxy.accept();
    for (int i = 0; i < kept; ++i) {
      const auto m = co_await sub.next(5s);
      REQUIRE(m.payload() == std::to_string(i));
    }
    CHECK(nc.stats().replayed_publishes == static_cast<std::uint64_t>(kept));
  });
}

TEST_CASE("C038 without a buffer, publishing while disconnected fails at once", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.reconnect_buffer = 0;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.refuse();
    proxy.reset();
    co_await until([&] { return events.has(event_kind::disconnected); });
    const auto code = co_await code_of(nc.publish("n", "x"));
    CHECK(code == errc::connection_lost);
    nc.close();
    const auto after = co_await code_of(nc.publish("n", "x"));
    CHECK(after == errc::connection_closed);
  });
}

TEST_CASE("C040 a peer that stops reading suspends publishers; cancelling one leaves no half frame", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run(
      [&]() -> asio::awaitable<void> {
        auto options = options_for(proxy.url());
        options.write_deadline = 60s;
        asio::cancellation_signal cancel_first;  // outlive what they may cancel, also when a wait below fails
        asio::cancellation_signal cancel_second;
        connection nc = co_await connect(options);
        connection reader = co_await connect(server.url());
        subscribe_options all;
        all.pending_bytes_limit = 0;
        all.pending_messages_limit = 0;
        auto sub = reader.subscribe("flood", all);
        co_await reader.flush(5s);
        proxy.pause(direction::to_server);
        const std::string body(8192, 'b');
        auto sent = std::make_shared<std::uint64_t>(0);
        const auto flood = [&nc, &body, sent]() -> asio::awaitable<void> {
          for (;;) {
            co_await nc.publish("flood", body);
            ++*sent;
          }
        };
        int ended = 0;
        auto done = [&](std::exception_ptr) { ++ended; };
        asio::co_spawn(nc.get_executor(), flood(), asio::bind_cancellation_slot(cancel_first.slot(), done));
        asio::co_spawn(nc.get_executor(), flood(), asio::bind_cancellation_slot(cancel_second.slot(), done));
        co_await until([&] { return nc.stats().outbox_bytes > options.outbox_high_water; });
        // Full as far as publish goes; the outbox never grows beyond its mark and one message per publisher.
        std::uint64_t before = 0;
        co_await until([&] { return std::exchange(before, *sent) == *sent; });
        CHECK(nc.stats().outbox_bytes < options.outbox_high_water + 3 * 9000);
        error_code full;
        while (!full) full = nc.try_publish("flood", body);
        CHECK(full == errc::outbox_full);
        cancel_first.emit(asio::cancellation_type::terminal);
        co_await until([&] { return ended == 1; });
        proxy.resume(direction::to_server);
        co_await until([&] { return *sent > before + 100; });
        cancel_second.emit(asio::cancellation_type::terminal);
        co_await until([&] { return ended == 2; });
        co_await nc.flush(10s);
        co_await until([&] { return sub.stats().received == nc.stats().out_messages; });
        CHECK(nc.stats().reconnects == 0);
      },
      60s);
}

TEST_CASE("what is published in one turn is written while it is made, and the turn still ends", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const std::string body(1000, 'b');
    for (int i = 0; i < 200; ++i) REQUIRE_FALSE(nc.try_publish("early", body));
    CHECK(nc.stats().outbox_bytes < 100'000);  // no turn has run: the rest is with the kernel
    // A publisher that never waits for anything else does not keep the context to itself.
    bool others_ran = false;
    asio::post(nc.get_executor(), [&] { others_ran = true; });
    for (int i = 0; i < 100'000 && !others_ran; ++i) co_await nc.publish("early", body);
    CHECK(others_ran);
    co_await nc.flush(10s);
    CHECK(nc.stats().outbox_bytes == 0);
  });
}

TEST_CASE("C040 a write that makes no progress ends the link, and the next one works", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    options.write_deadline = 200ms;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    proxy.pause(direction::to_server);
    const std::string body(100'000, 'b');
    while (!events.has(event_kind::disconnected)) {
      const auto code = nc.try_publish("flood", body);
      if (code) co_await eventually([&] { return events.has(event_kind::disconnected); }, 5ms);
    }
    CHECK(events.last(event_kind::disconnected).error == errc::write_timeout);
    proxy.resume(direction::to_server);
    co_await nc.flush(10s);
    CHECK(nc.stats().reconnects >= 1);
  });
}

TEST_CASE("C003 large bodies that look like protocol survive any chunking", "[client]") {
  nats_server server;
  fault_proxy proxy(server.port(), 7);
  proxy.rechunk(direction::to_client, 1, 70'000);
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(proxy.url());
    auto sub = nc.subscribe("body");
    const std::string pattern = "\r\nMSG x 1 3\r\n";
    for (const std::size_t size :
         {0U, 1U, 2U, 4095U, 4096U, 4097U, 32767U, 32768U, 32769U, 65535U, 65536U, 65537U, 999'999U, 1'048'576U}) {
      std::string body;
      while (body.size() < size) body += pattern;
      body.resize(size);
      co_await nc.publish("body", body);
      const auto m = co_await sub.next(10s);
      REQUIRE(m.payload() == body);
    }
    CHECK(nc.stats().reconnects == 0);
  });
}

TEST_CASE("C035 bytes that are not UTF-8 pass unchanged in subjects, headers and bodies", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    const std::string subject = "t.\xc3\xbc.\xff\xfe";
    auto sub = nc.subscribe("t.>");
    headers fields;
    fields.add("X", "\x80\x81");
    publish_options options;
    options.fields = &fields;
    co_await nc.publish(subject, "\xff", options);
    const auto m = co_await sub.next(5s);
    CHECK(m.subject() == subject);
    CHECK(m.headers().get("X") == "\x80\x81");
    CHECK(m.payload() == "\xff");
  });
}

TEST_CASE("C033 header fields come back as they were sent", "[client]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("h");
    headers fields;
    fields.add("empty", "").add("blank", "  ").add("edge", " a ").add("colon", "a:b");
    fields.add("x-trace", "1").add("X-Trace", "2").add("X-TRACE", "3").add("X-Trace", "4");
    fields.add("long", std::string(60'000, 'v'));
    for (int i = 0; i < 500; ++i) fields.add("N" + std::to_string(i), std::to_string(i));
    publish_options options;
    options.fields = &fields;
    co_await nc.publish("h", "", options);
    const auto m = co_await sub.next(5s);
    CHECK(headers(m.headers()) == fields);
    CHECK(m.headers().get("edge") == "a");  // outer blanks are trimmed, as documented
    CHECK(m.headers().get_all("X-Trace") == std::vector<std::string_view>{"2", "4"});
    CHECK(m.headers().get_ignore_case("X-Trace") == "1");
    // Forwarding keeps the bytes.
    const headers forwarded(m.headers());
    options.fields = &forwarded;
    co_await nc.publish("h", "", options);
    const auto again = co_await sub.next(5s);
    CHECK(again.headers().raw() == m.headers().raw());
  });
}
