// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
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
