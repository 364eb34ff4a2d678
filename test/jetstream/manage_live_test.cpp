// SPDX-License-Identifier: Apache-2.0
// Streams and consumers on a real server.
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "jetstream/live.hpp"

namespace cf = compass_fabric;
namespace js = compass_fabric::jetstream;
using namespace compass_fabric::testing;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a stream is created, described, changed, listed and deleted", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto config = orders_stream();
    config.max_age = 1h;
    config.duplicate_window = 2min;
    config.metadata = {{"owner", "billing"}};
    const auto created = co_await context.create_stream(config);
    CHECK(created.config.subjects == std::vector<std::string>{"orders.>"});
    CHECK(created.config.max_age == 1h);
    CHECK(created.config.retention == js::retention_policy::limits);
    CHECK(created.created);
    CHECK(created.state.messages == 0);

    co_await publish_numbers(context, "orders.new", 3);
    const auto info = co_await context.stream_info("ORDERS");
    CHECK(info.state.messages == 3);
    CHECK(info.state.first_sequence == 1);
    CHECK(info.state.last_sequence == 3);
    CHECK(info.state.last_time);

    auto changed = info.config;
    changed.description = "all orders";
    const auto updated = co_await context.update_stream(changed);
    CHECK(updated.config.description == "all orders");
    CHECK(updated.config.metadata.at("owner") == "billing");

    const auto names = co_await context.stream_names();
    CHECK(names == std::vector<std::string>{"ORDERS"});
    const auto by_subject = co_await context.stream_names("orders.new");
    CHECK(by_subject.size() == 1);
    const auto none = co_await context.stream_names("other.>");
    CHECK(none.empty());
    const auto all = co_await context.list_streams();
    CHECK(all.size() == 1);

    js::purge_options keep_one;
    keep_one.keep = 1;
    const auto purged = co_await context.purge("ORDERS", keep_one);
    CHECK(purged == 2);
    const auto rest = co_await context.purge("ORDERS");
    CHECK(rest == 1);

    co_await context.delete_stream("ORDERS");
    const auto gone = co_await cf::as_result(context.stream_info("ORDERS"));
    CHECK(gone.error() == js::errc::stream_not_found);
  }());
}

TEST_CASE("a consumer is created, described, changed, listed and deleted", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto config = billing_consumer();
    config.filter_subject = "orders.new";
    config.ack_wait = 5s;
    config.max_deliver = 5;
    config.backoff = {1s, 5s};
    co_await provision(context, config);
    co_await publish_numbers(context, "orders.new", 2);
    auto info = co_await context.consumer_info("ORDERS", "BILLING");
    // The server counts for its consumers after it has acknowledged.
    for (const deadline end(default_wait); info.pending != 2 && !end.passed();)
      info = co_await context.consumer_info("ORDERS", "BILLING");
    CHECK(info.stream == "ORDERS");
    CHECK(info.config.durable);
    CHECK(info.config.ack_policy == js::ack_policy::explicit_ack);
    CHECK(info.config.backoff == std::vector<std::chrono::nanoseconds>{1s, 5s});
    CHECK(info.config.ack_wait == 1s);
    CHECK(info.pending == 2);
    CHECK(js::differences(config, info.config).empty());

    auto changed = info.config;
    changed.max_ack_pending = 7;
    const auto updated = co_await context.update_consumer("ORDERS", changed);
    CHECK(updated.config.max_ack_pending == 7);
    const auto listed = co_await context.list_consumers("ORDERS");
    CHECK(listed.size() == 1);
    co_await context.delete_consumer("ORDERS", "BILLING");
    const auto gone = co_await cf::as_result(context.consumer_info("ORDERS", "BILLING"));
    CHECK(gone.error() == js::errc::consumer_not_found);
    const auto empty = co_await context.list_consumers("ORDERS");
    CHECK(empty.empty());
  }());
}

TEST_CASE("[C071] ensuring a stream and a consumer twice sends no change", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    int changes = 0;
    const auto watch = nc.subscribe("$JS.API.*.UPDATE.>", [&](const cf::message_view&) { ++changes; });
    const auto creates = nc.subscribe("$JS.API.CONSUMER.CREATE.>", [&](const cf::message_view&) { ++changes; });
    auto stream = orders_stream();
    stream.subjects = {"orders.>", "returns.>"};
    stream.max_messages = 0;
    stream.replicas = 1;
    stream.deny_purge = false;
    auto consumer = billing_consumer();
    consumer.max_deliver = -1;
    consumer.filter_subjects = {"orders.a", "orders.b"};
    consumer.headers_only = false;
    co_await context.create_or_update_stream(stream);
    co_await context.create_or_update_consumer("ORDERS", consumer);
    co_await nc.flush();
    const int first = changes;
    CHECK(first == 1);
    stream.subjects = {"returns.>", "orders.>"};
    consumer.filter_subjects = {"orders.b", "orders.a"};
    const auto info = co_await context.create_or_update_stream(stream);
    const auto consumer_info = co_await context.create_or_update_consumer("ORDERS", consumer);
    co_await nc.flush();
    CHECK(changes == first);
    CHECK(info.config.metadata.contains("_nats.ver"));
    CHECK(consumer_info.config.metadata.contains("_nats.ver"));
  }());
}

TEST_CASE("ensuring changes what differs and keeps what was not asked for", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    auto first = orders_stream();
    first.description = "kept";
    first.unknown["allow_atomic"] = "true";
    co_await context.create_or_update_stream(first);
    auto second = orders_stream();
    second.max_messages = 100;
    const auto info = co_await context.create_or_update_stream(second);
    CHECK(info.config.max_messages == 100);
    CHECK(info.config.description == "kept");
    CHECK(info.config.unknown.at("allow_atomic") == "true");
    auto consumer = billing_consumer();
    consumer.ack_wait = 5s;
    co_await context.create_or_update_consumer("ORDERS", consumer);
    consumer.ack_wait = 6s;
    const auto changed = co_await context.create_or_update_consumer("ORDERS", consumer);
    CHECK(changed.config.ack_wait == 6s);
  }());
}

TEST_CASE("creating what exists otherwise is a mismatch, creating the same again is not", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    const auto same = orders_stream();
    co_await context.create_stream(same);
    auto other = orders_stream();
    other.subjects = {"orders.*"};
    const auto mismatch = co_await cf::as_result(context.create_stream(other));
    CHECK(mismatch.error() == js::errc::config_mismatch);
    auto consumer = billing_consumer();
    consumer.max_deliver = 3;
    try {
      co_await context.create_consumer("ORDERS", consumer);
      FAIL("accepted");
    } catch (const js::api_error& e) {
      CHECK(e.err_code() == js::code::consumer_exists);
      CHECK(e.status() == 400);
      CHECK_THAT(e.what(), ContainsSubstring("consumer \"BILLING\" of stream \"ORDERS\""));
    }
  }());
}

TEST_CASE("[C073] a bad name never reaches the server", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    const auto before = nc.stats().out_messages;
    for (const std::string name : {"a.b", "a b", "a*", ">", "a/b", ""}) {
      INFO(name);
      const auto info = co_await cf::as_result(context.stream_info(name));
      CHECK(info.error() == js::errc::invalid_name);
      auto config = orders_stream();
      config.name = name;
      const auto created = co_await cf::as_result(context.create_stream(config));
      CHECK(created.error() == js::errc::invalid_name);
      const auto deleted = co_await cf::as_result(context.delete_consumer("ORDERS", name));
      CHECK(deleted.error() == js::errc::invalid_name);
      CHECK_THROWS_AS(context.consumer("ORDERS", name), cf::system_error);
      CHECK_THROWS_AS(context.consumer(name, "BILLING"), cf::system_error);
    }
    CHECK(nc.stats().out_messages == before);
    for (const std::string name : {"a%d", "\xc3\xa4"}) {
      auto config = orders_stream();
      config.name = name;
      const auto created = co_await context.create_stream(config);
      CHECK(created.config.name == name);
      co_await context.delete_stream(name);
    }
  }());
}

TEST_CASE("one stored message is read by its sequence", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    cf::headers fields;
    fields.add("Trace", "abc");
    js::publish_options options;
    options.fields = &fields;
    const std::string binary("\0\xff body", 7);
    const auto ack = co_await context.publish("orders.new", binary, options);
    const auto stored = co_await context.get_message("ORDERS", ack.sequence);
    CHECK(stored.subject == "orders.new");
    CHECK(stored.sequence == ack.sequence);
    CHECK(stored.payload == binary);
    CHECK(stored.headers().get("Trace") == "abc");
    CHECK(stored.time);
    const auto none = co_await cf::as_result(context.get_message("ORDERS", 99));
    CHECK(none.error() == js::errc::message_not_found);
  }());
}

TEST_CASE("the account tells what it uses and may use", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    co_await provision(context);
    const auto info = co_await context.account_info();
    CHECK(info.streams == 1);
    CHECK(info.consumers == 1);
    CHECK(info.limits.max_streams == -1);
    CHECK(info.api.level >= 1);
    CHECK(info.api.total >= 2);
  }());
}

TEST_CASE("without JetStream, or in a wrong domain, every call says unavailable at once", "[jetstream][live]") {
  nats_server_options plain;
  plain.jetstream = false;
  nats_server server(plain);
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    js::context context(nc);
    const auto account = co_await cf::as_result(context.account_info());
    CHECK(account.error() == js::errc::unavailable);
    js::context_options elsewhere;
    elsewhere.domain = "hub";
    js::context remote(nc, elsewhere);
    const auto info = co_await cf::as_result(remote.stream_info("ORDERS"));
    CHECK(info.error() == js::errc::unavailable);
    elsewhere.domain = "a.b";
    CHECK_THROWS_AS(js::context(nc, elsewhere), cf::system_error);
    js::context_options blank;
    blank.prefix = "js api";
    CHECK_THROWS_AS(js::context(nc, blank), cf::system_error);
  }());
}

TEST_CASE("every request to the API is shown with its answer or its failure", "[jetstream][live]") {
  nats_server server;
  run([&]() -> awaitable<void> {
    auto nc = co_await cf::connect(server.url());
    std::vector<std::string> calls;
    js::context_options options;
    options.timeout = 200ms;
    options.on_api_call = [&](const js::api_call& call) {
      const auto outcome = call.error ? call.error.message() : std::string(call.reply.substr(0, call.reply.find(',')));
      calls.push_back(std::string(call.subject) + " " + std::string(call.request.substr(0, 16)) + " -> " + outcome);
      CHECK(call.duration.count() > 0);
    };
    js::context context(nc, options);
    const auto config = orders_stream();
    co_await context.create_stream(config);
    const auto missing = co_await cf::as_result(context.stream_info("NONE"));
    CHECK(missing.error() == js::errc::stream_not_found);
    options.prefix = "$JS.NOWHERE";
    js::context lost(nc, options);
    const auto nobody = co_await cf::as_result(lost.stream_info("ORDERS"));
    CHECK(nobody.error() == js::errc::unavailable);
    REQUIRE(calls.size() == 3);
    CHECK_THAT(calls[0], ContainsSubstring(R"($JS.API.STREAM.CREATE.ORDERS {"name":"ORDERS" -> {"type")"));
    CHECK_THAT(calls[1], ContainsSubstring(R"($JS.API.STREAM.INFO.NONE  -> {"type")"));
    CHECK_THAT(calls[2], ContainsSubstring("$JS.NOWHERE.STREAM.INFO.ORDERS  -> JetStream"));
  });
}
