// SPDX-License-Identifier: Apache-2.0
// The consumer half of `context`.
#include <compass_fabric/jetstream/context.hpp>

#include "jetstream/config_json.hpp"
#include "jetstream/context_state.hpp"
#include "jetstream/converge.hpp"
#include "jetstream/names.hpp"
#include "jetstream/replies.hpp"
#include "proto/json_writer.hpp"

#include <fmt/format.h>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

using state_ptr = std::shared_ptr<const context_state>;

std::string where(std::string_view stream, std::string_view consumer) {
  return fmt::format("consumer \"{}\" of stream \"{}\"", consumer, stream);
}

void check(std::string_view stream, const consumer_config& config) {
  check_name("stream", stream);
  check_name("consumer", config.name);
  if (!config.filter_subject.empty()) check_filter("filter", config.filter_subject);
  for (const auto& filter : config.filter_subjects) check_filter("filter", filter);
}

/// With one filter it becomes part of the subject, so that permissions can be given per filter. A filter with wildcards
/// stays out of it: the client publishes to concrete subjects only.
std::string create_verb(std::string_view stream, const consumer_config& config) {
  auto verb = fmt::format("CONSUMER.CREATE.{}.{}", stream, config.name);
  const bool concrete = config.filter_subject.find_first_of("*>") == std::string::npos;
  if (!config.filter_subject.empty() && concrete) verb += "." + config.filter_subject;
  return verb;
}

std::string create_body(std::string_view stream, const consumer_config& config, std::string_view action) {
  std::string body;
  proto::json_writer out(body);
  out.begin_object();
  out.member("stream_name", stream);
  out.key("config");
  out.raw(to_json(config));
  out.member("action", action);
  out.end_object();
  return body;
}

asio::awaitable<consumer_info> create(state_ptr state, std::string_view stream, const consumer_config& config) {
  check(stream, config);
  const auto place = where(stream, config.name);
  const auto reply = co_await state->call(create_verb(stream, config), create_body(stream, config, "create"));
  co_return read_consumer_info(reply.payload(), place);
}

asio::awaitable<consumer_info> update(state_ptr state, std::string_view stream, const consumer_config& config) {
  check(stream, config);
  const auto place = where(stream, config.name);
  const auto reply = co_await state->call(create_verb(stream, config), create_body(stream, config, "update"));
  co_return read_consumer_info(reply.payload(), place);
}

asio::awaitable<consumer_info> find(state_ptr state, std::string_view stream, std::string_view consumer) {
  check_name("stream", stream);
  check_name("consumer", consumer);
  const auto place = where(stream, consumer);
  const auto reply = co_await state->call(fmt::format("CONSUMER.INFO.{}.{}", stream, consumer), {});
  co_return read_consumer_info(reply.payload(), place);
}

asio::awaitable<consumer_info> create_or_update(state_ptr state, std::string_view stream,
                                                const consumer_config& config) {
  check(stream, config);
  const auto look = [&] { return find(state, stream, config.name); };
  const auto make = [&](const consumer_config& next) { return create(state, stream, next); };
  const auto change = [&](const consumer_config& next) { return update(state, stream, next); };
  co_return co_await converge<consumer_info>(config, errc::consumer_not_found, look, make, change);
}

asio::awaitable<void> remove(state_ptr state, std::string_view stream, std::string_view consumer) {
  check_name("stream", stream);
  check_name("consumer", consumer);
  const auto place = where(stream, consumer);
  const auto reply = co_await state->call(fmt::format("CONSUMER.DELETE.{}.{}", stream, consumer), {});
  read_success(reply.payload(), place);
}

asio::awaitable<std::vector<consumer_info>> list(state_ptr state, std::string_view stream) {
  check_name("stream", stream);
  const auto place = fmt::format("consumers of stream \"{}\"", stream);
  const auto verb = fmt::format("CONSUMER.LIST.{}", stream);
  std::vector<consumer_info> all;
  for (;;) {
    const auto reply = co_await state->call(verb, fmt::format(R"({{"offset":{}}})", all.size()));
    auto page = read_consumer_list(reply.payload(), place);
    all.insert(all.end(), page.entries.begin(), page.entries.end());
    if (page.entries.empty() || all.size() >= page.total) co_return all;
  }
}

}  // namespace

asio::awaitable<consumer_info> context::create_consumer(std::string_view stream, const consumer_config& config) {
  return create(state_, stream, config);
}

asio::awaitable<consumer_info> context::update_consumer(std::string_view stream, const consumer_config& config) {
  return update(state_, stream, config);
}

asio::awaitable<consumer_info> context::create_or_update_consumer(std::string_view stream,
                                                                  const consumer_config& config) {
  return create_or_update(state_, stream, config);
}

asio::awaitable<consumer_info> context::consumer_info(std::string_view stream, std::string_view consumer) {
  return find(state_, stream, consumer);
}

asio::awaitable<void> context::delete_consumer(std::string_view stream, std::string_view consumer) {
  return remove(state_, stream, consumer);
}

asio::awaitable<std::vector<consumer_info>> context::list_consumers(std::string_view stream) {
  return list(state_, stream);
}

}  // namespace compass_fabric::jetstream
