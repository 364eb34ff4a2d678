// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/message_trace.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

TEST_CASE("a trace shows who would get a message, and nobody gets it", "[client][row102]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    options.name = "the reader";
    connection reader = co_await connect(options);
    auto sub = reader.subscribe("orders.*");
    co_await reader.flush();
    connection nc = co_await connect(server.url());
    const auto reports = co_await trace_route(nc, "orders.new", "x");
    REQUIRE(reports.size() == 1);
    CHECK(reports[0].server_name == "test");
    CHECK(reports[0].server_id == nc.info().server_id);
    CHECK(reports[0].hops == 0);
    const auto& events = reports[0].events;
    REQUIRE(events.size() == 2);
    CHECK(events[0].type == "in");
    CHECK(events[0].subject == "orders.new");
    CHECK(events[1].type == "eg");
    CHECK(events[1].name == "the reader");
    CHECK(sub.stats().received == 0);
  });
}

TEST_CASE("a traced message may be delivered all the same", "[client][row102]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("orders.*");
    const auto reports = co_await trace_route(nc, "orders.new", "x", trace_mode::deliver);
    CHECK(reports.size() == 1);
    const auto m = co_await sub.next(10s);
    CHECK(m.payload() == "x");
    CHECK_FALSE(m.headers().get("Nats-Trace-Only"));
  });
}

TEST_CASE("a trace's destination must be a subject; what is no report is not read", "[client][row102]") {
  headers fields;
  CHECK_THROWS_AS(request_trace(fields, "not >", trace_mode::only), system_error);
  CHECK(fields.empty());
  request_trace(fields, "trace.here", trace_mode::only);
  CHECK(fields.get("Nats-Trace-Only") == "true");
  request_trace(fields, "trace.here");
  CHECK_FALSE(fields.get("Nats-Trace-Only"));
  trace_report report;
  for (const char* bad : {"", "[]", R"({"server":{}})", R"({"events":[]})"})
    CHECK_FALSE(read_trace_report(bad, report));
  const char* const text =
      R"({"server":{"name":"n"},"hops":2,"events":[1,{"type":"js","stream":"S","subject":"a","error":"full"}]})";
  REQUIRE(read_trace_report(text, report));
  CHECK(report.hops == 2);
  REQUIRE(report.events.size() == 1);
  CHECK(report.events[0].stream == "S");
  CHECK(report.events[0].error == "full");
}
