// SPDX-License-Identifier: Apache-2.0
// Latencies, the instrumentation port and the trace context in messages.
#include <compass_fabric/instrumentation.hpp>

#include "fixture.hpp"

using namespace compass_fabric;
using namespace compass_fabric::testing;

namespace {

trace_context context_number(unsigned char n) {
  trace_context c;
  c.trace_id[15] = std::byte{n};
  c.span_id[7] = std::byte{n};
  c.flags = 1;
  c.state = "vendor=" + std::to_string(n);
  return c;
}

class recorder final : public instrumentation {
 public:
  struct entry {
    operation_kind kind;
    std::string subject;
    std::size_t body_size;
    trace_context parent;
    trace_context context;
    error_code error;
    std::chrono::nanoseconds duration;
  };

  void log(log_severity severity, const connection_event& event) override { logged.emplace_back(severity, event.kind); }
  trace_context begin(const operation&) override {
    ++begun;
    return traced ? context_number(static_cast<unsigned char>(begun)) : trace_context{};
  }
  void end(const operation& op, const outcome& o) override {
    ended.push_back({op.kind, std::string(op.subject), op.body_size, op.parent, o.context, o.error, o.duration});
  }
  std::size_t count(operation_kind kind) const {
    return static_cast<std::size_t>(
        std::count_if(ended.begin(), ended.end(), [&](const entry& e) { return e.kind == kind; }));
  }
  const entry& first(operation_kind kind) const {
    return *std::find_if(ended.begin(), ended.end(), [&](const entry& e) { return e.kind == kind; });
  }

  bool traced = true;
  int begun = 0;
  std::vector<entry> ended;
  std::vector<std::pair<log_severity, event_kind>> logged;
};

}  // namespace

TEST_CASE("request and write latencies are kept when asked for", "[client][row98]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    for (const bool measure : {false, true}) {
      options.measure_latency = measure;
      connection nc = co_await connect(options);
      auto echo = nc.subscribe("echo", [&](const message_view& m) { nc.try_respond(m, m.payload); });
      for (int i = 0; i < 10; ++i) co_await nc.request("echo", "x");
      request_options brief;
      brief.timeout = 10ms;
      auto mute = nc.subscribe("mute");
      const auto failure = co_await code_of(nc.request("mute", "x", brief));
      CHECK(failure == errc::timeout);
      CHECK(nc.request_latency().count() == (measure ? 10U : 0U));
      CHECK((nc.write_latency().count() > 0) == measure);
      CHECK((nc.request_latency().max() > 0ns) == measure);
      CHECK(nc.request_latency().percentile(0.5) <= nc.request_latency().max());
    }
  });
}

TEST_CASE("the trace context of the sender reaches the handler, for every kind of operation",
          "[client][row99][row101]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    const auto hooks = std::make_shared<recorder>();
    options.hooks = hooks;
    connection nc = co_await connect(options);
    connection plain = co_await connect(server.url());
    auto raw = plain.subscribe("p");
    co_await plain.flush();
    int handled = 0;
    auto tap = nc.subscribe("p", [&](const message_view&) { ++handled; });
    const auto handler = [&](message m) -> asio::awaitable<void> {
      ++handled;
      if (!m.reply().empty()) co_await nc.respond(m.view(), "pong");
    };
    auto work = nc.subscribe("q", handler);

    headers fields;
    fields.add("Keep", "me").add("traceparent", "not one");
    publish_options with_fields;
    with_fields.fields = &fields;
    co_await nc.publish("p", "12345", with_fields);
    const auto m = co_await raw.next(10s);
    const auto carried = extract(m.headers());
    REQUIRE(carried);
    CHECK(*carried == context_number(1));
    CHECK(m.headers().get("Keep") == "me");
    CHECK(m.headers().get_all("traceparent").size() == 1);
    co_await until([&] { return hooks->count(operation_kind::process) == 1; });
    CHECK(hooks->first(operation_kind::process).parent == context_number(1));
    const auto& published = hooks->first(operation_kind::publish);
    CHECK(published.subject == "p");
    CHECK(published.body_size == 5);
    CHECK(published.context == context_number(1));
    CHECK_FALSE(published.error);

    hooks->ended.clear();
    const auto reply = co_await nc.request("q", "ping");
    CHECK(reply.payload() == "pong");
    co_await until([&] { return hooks->count(operation_kind::process) == 1; });
    const auto& asked = hooks->first(operation_kind::request);
    CHECK(asked.subject == "q");
    CHECK(hooks->first(operation_kind::process).parent == asked.context);
    CHECK(asked.duration > 0ns);
  });
}

TEST_CASE("failed operations end with their error, and untraced ones change no header", "[client][row99][row100]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(server.url());
    const auto hooks = std::make_shared<recorder>();
    hooks->traced = false;
    options.hooks = hooks;
    connection nc = co_await connect(options);
    auto sub = nc.subscribe("p");
    co_await nc.publish("p", "x");
    const auto m = co_await sub.next(10s);
    CHECK(m.headers().empty());
    hooks->ended.clear();
    const auto nobody = co_await code_of(nc.request("nobody", ""));
    CHECK(nobody == errc::no_responders);
    CHECK(nc.try_publish("not good", "") == errc::invalid_subject);
    REQUIRE(hooks->ended.size() == 2);
    CHECK(hooks->ended[0].error == errc::no_responders);
    CHECK(hooks->ended[1].error == errc::invalid_subject);
    request_many_options brief;
    brief.timeout = 10ms;
    co_await nc.request_many("p", "", brief);
    CHECK(hooks->ended[2].kind == operation_kind::request);
    CHECK(hooks->begun == 4);
  });
}

TEST_CASE("events arrive at the log hook with a severity", "[client][row104]") {
  nats_server server;
  fault_proxy proxy(server.port());
  run([&]() -> asio::awaitable<void> {
    auto options = options_for(proxy.url());
    const auto hooks = std::make_shared<recorder>();
    options.hooks = hooks;
    event_log events;
    options.on_event = events.handler();
    connection nc = co_await connect(options);
    co_await nc.flush();
    proxy.cut();
    co_await until([&] { return events.has(event_kind::reconnected); });
    nc.close();
    co_await nc.closed();
    REQUIRE(hooks->logged.size() >= 4);
    CHECK(std::count(hooks->logged.begin(), hooks->logged.end(),
                     std::pair(log_severity::info, event_kind::connected)) == 1);
    CHECK(std::count(hooks->logged.begin(), hooks->logged.end(),
                     std::pair(log_severity::warning, event_kind::disconnected)) == 1);
    CHECK(hooks->logged.back() == std::pair(log_severity::info, event_kind::closed));
  });
}

TEST_CASE("counters and durations carry OpenTelemetry's names", "[client][row97][row100]") {
  nats_server server;
  run([&]() -> asio::awaitable<void> {
    connection nc = co_await connect(server.url());
    auto sub = nc.subscribe("p");
    for (int i = 0; i < 3; ++i) co_await nc.publish("p", "12345");
    co_await nc.flush();
    const auto metrics = metrics_of(nc);
    const auto value = [&](std::string_view name) {
      const auto found = std::find_if(metrics.begin(), metrics.end(), [&](const metric& m) { return m.name == name; });
      REQUIRE(found != metrics.end());
      return found->value;
    };
    CHECK(value("messaging.client.sent.messages") == 3);
    CHECK(value("messaging.client.consumed.messages") == 3);
    CHECK(value("nats.client.sent.bytes") == 15);
    CHECK(value("nats.client.reconnects") == 0);
  });
  const operation op{operation_kind::request, "a.b", 7, {}};
  outcome o;
  o.error = errc::timeout;
  const auto attributes = attributes_of(op, o);
  const auto has = [&](const char* name, const char* text) {
    return std::count(attributes.begin(), attributes.end(), std::pair<std::string, std::string>(name, text)) == 1;
  };
  CHECK(has("messaging.system", "nats"));
  CHECK(has("messaging.destination.name", "a.b"));
  CHECK(has("messaging.operation.name", "request"));
  CHECK(has("messaging.operation.type", "send"));
  CHECK(has("messaging.message.body.size", "7"));
  CHECK(has("error.type", "timed out"));
  CHECK(duration_metric(operation_kind::publish) == "messaging.client.operation.duration");
  CHECK(duration_metric(operation_kind::process) == "messaging.process.duration");
  CHECK(attributes_of(operation{operation_kind::process, "s", 0, {}}, {}).size() == 5);
}
