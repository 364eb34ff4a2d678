// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <future>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

// Answers each request with as many numbered replies as its payload says, then with an empty one.
message_handler several(connection& nc) {
  return [&nc](const message_view& m) {
    const int count = std::stoi(std::string(m.payload));
    for (int i = 0; i < count; ++i) nc.try_respond(m, std::to_string(i));
    nc.try_respond(m, "");
  };
}

}  // namespace

TEST_CASE("many replies end by sentinel, by count, and by stalling", "[client][row89]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto responder = nc.subscribe("several", several(nc));
    for (const bool own : {false, true}) {
      request_many_options by_sentinel;
      by_sentinel.own_inbox = own;
      by_sentinel.sentinel = ends_with_empty;
      auto replies = co_await nc.request_many("several", "5", by_sentinel);
      REQUIRE(replies.size() == 5);
      for (std::size_t i = 0; i < 5; ++i) CHECK(replies[i].payload() == std::to_string(i));

      request_many_options by_count;
      by_count.own_inbox = own;
      by_count.max_replies = 3;
      replies = co_await nc.request_many("several", "5", by_count);
      CHECK(replies.size() == 3);

      request_many_options by_stall;
      by_stall.own_inbox = own;
      by_stall.stall = 50ms;
      replies = co_await nc.request_many("several", "5", by_stall);
      CHECK(replies.size() == 6);  // the empty one is a reply where no sentinel is set
    }
    CHECK(nc.stats().pending_requests == 0);
  });
}

TEST_CASE("many replies end after the total time with what came, be it nothing", "[client][row89]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto one = nc.subscribe("one", [&](const message_view& m) { nc.try_respond(m, "1"); });
    auto mute = nc.subscribe("mute");
    request_many_options brief;
    brief.timeout = 50ms;
    auto replies = co_await nc.request_many("one", "", brief);
    CHECK(replies.size() == 1);
    replies = co_await nc.request_many("mute", "", brief);
    CHECK(replies.empty());
    const auto nobody = co_await code_of(nc.request_many("nobody", "", brief));
    CHECK(nobody == errc::no_responders);
    request_many_options own = brief;
    own.own_inbox = true;
    const auto nobody_own = co_await code_of(nc.request_many("nobody", "", own));
    CHECK(nobody_own == errc::no_responders);
    request_many_options bad;
    bad.timeout = 0ms;
    const auto refused = co_await text_of(nc.request_many("where.it.went", "", bad));
    CHECK(refused.find("where.it.went") != std::string::npos);
  });
}

TEST_CASE("cancelling a request with many replies leaves nothing behind, at the server neither",
          "[client][row87][row89]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto one = nc.subscribe("one", [&](const message_view& m) { nc.try_respond(m, "1"); });
    for (const bool own : {false, true}) {
      request_many_options patient;
      patient.own_inbox = own;
      patient.timeout = 60s;
      asio::cancellation_signal stop;
      error_code ended;
      bool done = false;
      auto collecting = [](connection c, request_many_options o) -> asio::awaitable<void> {
        co_await c.request_many("one", "", std::move(o));
      };
      asio::co_spawn(nc.get_executor(), collecting(nc, patient),
                     asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr e) {
                       ended = to_error_code(e);
                       done = true;
                     }));
      co_await until([&] { return nc.stats().pending_requests == 1; });
      co_await nc.flush();
      stop.emit(asio::cancellation_type::terminal);
      co_await until([&] { return done; });
      CHECK(ended == asio::error::operation_aborted);
      CHECK(nc.stats().pending_requests == 0);
    }
    const auto reply = co_await nc.request("one", "");
    CHECK(reply.payload() == "1");
  });
}

TEST_CASE("C024 each request may choose what the loss of the link means to it", "[client][row90]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    connection helper = co_await connect(server.url());
    std::vector<message> asked;
    auto slow = helper.subscribe("slow", [&](const message_view& m) { asked.emplace_back(m); });
    co_await helper.flush();
    request_options fails;
    fails.on_disconnect = request_loss::fail;
    request_options waits;
    waits.on_disconnect = request_loss::wait;
    request_many_options many_fails;
    many_fails.on_disconnect = request_loss::fail;
    auto first = async(nc, nc.request("slow", "a", fails), asio::use_future);
    auto second = async(nc, nc.request("slow", "b", waits), asio::use_future);
    auto third = async(nc, nc.request_many("slow", "c", many_fails), asio::use_future);
    co_await until([&] { return asked.size() == 3; });
    proxy.cut();
    co_await until([&] { return events.has(event_kind::reconnected); });
    co_await nc.flush();
    for (const auto& m : asked) co_await helper.respond(m.view(), "late");
    co_await until([&] { return second.wait_for(0s) == std::future_status::ready; });
    CHECK(second.get().payload() == "late");
    CHECK_THROWS_AS(first.get(), system_error);
    CHECK_THROWS_AS(third.get(), system_error);
  });
}

TEST_CASE("responding goes to the reply subject, and is refused where there is none", "[client][row91]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("q");
    headers fields;
    fields.add("A", "b");
    request_options with_fields;
    with_fields.fields = &fields;
    auto answer = async(nc, nc.request("q", "hello", with_fields), asio::use_future);
    auto m = co_await sub.next(10s);
    publish_options out;
    out.fields = &fields;
    co_await nc.respond(m.view(), "hi", out);
    co_await until([&] { return answer.wait_for(0s) == std::future_status::ready; });
    const auto reply = answer.get();
    CHECK(reply.payload() == "hi");
    CHECK(reply.headers().get("A") == "b");
    co_await nc.publish("q", "no answer wanted");
    m = co_await sub.next(10s);
    const auto refused = co_await code_of(nc.respond(m.view(), "hi"));
    CHECK(refused == errc::no_reply_subject);
    CHECK(nc.try_respond(m.view(), "hi") == errc::no_reply_subject);
  });
}

namespace {

// One user, who may not subscribe where `denied` says.
std::string denying(const std::string& denied) {
  return "authorization { users: [ { user: u, password: p, permissions: { subscribe: { deny: [" + denied +
         "] } } } ] }";
}

}  // namespace

TEST_CASE("a refused inbox fails every request at once, and none once it is allowed", "[client][row84][row94]") {
  nats_server server({.jetstream = false, .extra_config = denying("\"_INBOX.>\"")});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://u:p@127.0.0.1:" + std::to_string(server.port()));
    connection nc = co_await connect(options);
    auto responder = nc.subscribe("one", [&](const message_view& m) { nc.try_respond(m, "1"); });
    request_many_options many;
    many.timeout = 10s;
    for (int i = 0; i < 3; ++i) {
      const auto single = co_await code_of(nc.request("one", "", {.timeout = 10s}));
      CHECK(single == errc::permission_violation);
      for (const bool own : {false, true}) {
        many.own_inbox = own;
        const auto several = co_await code_of(nc.request_many("one", "", many));
        CHECK(several == errc::permission_violation);
      }
    }
    server.reload(denying("\"never\""));
    const auto allowed = [&]() -> asio::awaitable<bool> {
      const auto code = co_await code_of(nc.request("one", "", {.timeout = 10s}));
      co_return !code;
    };
    bool answered = false;
    for (const deadline end(10s); !answered && !end.passed();) answered = co_await allowed();
    CHECK(answered);
    many.own_inbox = true;
    many.max_replies = 1;
    const auto replies = co_await nc.request_many("one", "", many);
    CHECK(replies.size() == 1);
  });
}

TEST_CASE("the refusal of the shared inbox is no business of requests with their own", "[client][row89]") {
  nats_server server({.jetstream = false, .extra_config = denying("\"_INBOX.*.*\"")});
  run([&]() -> asio::awaitable<void> {
    auto options = options_for("nats://u:p@127.0.0.1:" + std::to_string(server.port()));
    connection nc = co_await connect(options);
    std::vector<message> asked;
    auto responder = nc.subscribe("one", [&](const message_view& m) { asked.emplace_back(m); });
    request_many_options own;
    own.own_inbox = true;
    own.max_replies = 1;
    own.timeout = 10s;
    auto waiting = async(nc, nc.request_many("one", "", own), asio::use_future);
    co_await until([&] { return asked.size() == 1; });
    const auto refused = co_await code_of(nc.request("one", "", {.timeout = 10s}));
    CHECK(refused == errc::permission_violation);
    co_await nc.respond(asked.front().view(), "here");
    co_await until([&] { return waiting.wait_for(0s) == std::future_status::ready; });
    CHECK(waiting.get().size() == 1);
  });
}

TEST_CASE("requests over the server's limit of subscriptions fail with that, and work when there is room",
          "[client][row84]") {
  nats_server server({.jetstream = false, .extra_config = "max_subscriptions: 1"});
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    connection helper = co_await connect(server.url());
    auto responder = helper.subscribe("one", [&](const message_view& m) { helper.try_respond(m, "1"); });
    co_await helper.flush();
    auto all_there_is = nc.subscribe("x");
    co_await nc.flush();
    for (int i = 0; i < 2; ++i) {
      const auto code = co_await code_of(nc.request("one", "", {.timeout = 10s}));
      CHECK(code == errc::max_subscriptions_exceeded);
      request_many_options own;
      own.own_inbox = true;
      own.timeout = 10s;
      const auto several = co_await code_of(nc.request_many("one", "", own));
      CHECK(several == errc::max_subscriptions_exceeded);
    }
    all_there_is.unsubscribe();
    const auto reply = co_await nc.request("one", "", {.timeout = 10s});
    CHECK(reply.payload() == "1");
  });
}

TEST_CASE("C024 a request that failed with its link is not sent by the next one", "[client][row89][row90]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    connection helper = co_await connect(server.url());
    auto asked = helper.subscribe("one");
    co_await helper.flush();
    const std::string body(50'000, 'b');
    for (const bool own : {false, true}) {
      auto options = options_for(proxy.url());
      options.fail_requests_on_disconnect = true;
      connection nc = co_await connect(options);
      proxy.pause(direction::to_server);
      while (nc.stats().outbox_bytes == 0) {
        REQUIRE_FALSE(nc.try_publish("flood", body));
        co_await asio::post(nc.get_executor(), asio::use_awaitable);
      }
      request_many_options many;
      many.own_inbox = own;
      auto waiting = async(nc, nc.request_many("one", "", many), asio::use_future);
      co_await until([&] { return nc.stats().pending_requests == 1; });
      proxy.reset();
      proxy.resume(direction::to_server);
      co_await until([&] { return waiting.wait_for(0s) == std::future_status::ready; });
      CHECK_THROWS_AS(waiting.get(), system_error);
      co_await until([&] { return nc.stats().reconnects == 1; });
      co_await nc.flush();
    }
    co_await helper.flush();
    CHECK(asked.stats().received == 0);
  });
}

TEST_CASE("requests wait for room as publishes do, no longer than their time", "[client][row84]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(proxy.url());
    connection helper = co_await connect(server.url());
    auto responder = helper.subscribe("one", [&](const message_view& m) { helper.try_respond(m, ""); });
    co_await helper.flush();
    const std::string body(200'000, 'b');
    proxy.pause(direction::to_server);
    while (nc.stats().outbox_bytes < 300'000) {
      nc.try_publish("flood", body);
      co_await asio::post(nc.get_executor(), asio::use_awaitable);
    }
    const auto late = co_await text_of(nc.request("one", body, {.timeout = 50ms}));
    CHECK(late.find("one") != std::string::npos);
    CHECK(late.find("timed out") != std::string::npos);
    std::vector<std::future<message>> waiting;
    for (int i = 0; i < 50; ++i)
      waiting.push_back(async(nc, nc.request("one", body, {.timeout = 30s}), asio::use_future));
    co_await asio::post(nc.get_executor(), asio::use_awaitable);
    proxy.resume(direction::to_server);
    for (auto& w : waiting) {
      co_await until([&] { return w.wait_for(0s) == std::future_status::ready; });
      CHECK_NOTHROW(w.get());
    }
  });
}

TEST_CASE("a request with many replies ends within its time also where there is no room", "[client][row84][row89]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(proxy.url());
    const std::string body(200'000, 'b');
    proxy.pause(direction::to_server);
    while (nc.stats().outbox_bytes < 300'000) {
      nc.try_publish("flood", body);
      co_await asio::post(nc.get_executor(), asio::use_awaitable);
    }
    request_many_options many;
    many.timeout = 0ms;
    const auto invalid = co_await code_of(nc.request_many("silent", "", many));
    CHECK(invalid == errc::invalid_option);
    many.timeout = 50ms;
    const auto late = co_await code_of(nc.request_many("silent", "", many));
    CHECK(late == errc::timeout);
  });
}
