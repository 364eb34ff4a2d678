// SPDX-License-Identifier: Apache-2.0
// The stream half of `context`. Coroutines share the state and copy what they name in errors: handle and views may be
// temporaries.
#include <compass_fabric/jetstream/context.hpp>

#include "jetstream/config_json.hpp"
#include "jetstream/context_state.hpp"
#include "jetstream/converge.hpp"
#include "jetstream/names.hpp"
#include "jetstream/replies.hpp"
#include "proto/json_writer.hpp"

#include <fmt/format.h>

#include <utility>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

using state_ptr = std::shared_ptr<const context_state>;

std::string where(std::string_view stream) { return fmt::format("stream \"{}\"", stream); }

std::string page_body(std::uint64_t offset, std::string_view subject) {
  std::string body;
  proto::json_writer out(body);
  out.begin_object();
  out.member("offset", offset);
  if (!subject.empty()) out.member("subject", subject);
  out.end_object();
  return body;
}

std::string purge_body(const purge_options& options) {
  std::string body;
  proto::json_writer out(body);
  out.begin_object();
  if (!options.filter_subject.empty()) out.member("filter", options.filter_subject);
  if (options.below_sequence) out.member("seq", *options.below_sequence);
  if (options.keep) out.member("keep", *options.keep);
  out.end_object();
  return body;
}

asio::awaitable<stream_info> create(state_ptr state, const stream_config& config) {
  check_name("stream", config.name);
  const auto reply = co_await state->call("STREAM.CREATE." + config.name, to_json(config));
  co_return read_stream_info(reply.payload(), where(config.name));
}

asio::awaitable<stream_info> update(state_ptr state, const stream_config& config) {
  check_name("stream", config.name);
  const auto reply = co_await state->call("STREAM.UPDATE." + config.name, to_json(config));
  co_return read_stream_info(reply.payload(), where(config.name));
}

asio::awaitable<stream_info> find(state_ptr state, std::string_view stream) {
  check_name("stream", stream);
  const auto place = where(stream);
  const auto reply = co_await state->call(fmt::format("STREAM.INFO.{}", stream), {});
  co_return read_stream_info(reply.payload(), place);
}

asio::awaitable<stream_info> create_or_update(state_ptr state, const stream_config& config) {
  const auto look = [&] { return find(state, config.name); };
  const auto make = [&](const stream_config& next) { return create(state, next); };
  const auto change = [&](const stream_config& next) { return update(state, next); };
  co_return co_await converge<stream_info>(config, errc::stream_not_found, look, make, change);
}

asio::awaitable<void> remove(state_ptr state, std::string_view stream) {
  check_name("stream", stream);
  const auto place = where(stream);
  const auto reply = co_await state->call(fmt::format("STREAM.DELETE.{}", stream), {});
  read_success(reply.payload(), place);
}

asio::awaitable<std::vector<std::string>> names(state_ptr state, std::string_view subject) {
  if (!subject.empty()) check_filter("subject", subject);
  std::vector<std::string> all;
  for (;;) {
    const auto reply = co_await state->call("STREAM.NAMES", page_body(all.size(), subject));
    auto page = read_stream_names(reply.payload(), "stream names");
    all.insert(all.end(), page.entries.begin(), page.entries.end());
    if (page.entries.empty() || all.size() >= page.total) co_return all;
  }
}

asio::awaitable<std::vector<stream_info>> list(state_ptr state) {
  std::vector<stream_info> all;
  for (;;) {
    const auto reply = co_await state->call("STREAM.LIST", page_body(all.size(), {}));
    auto page = read_stream_list(reply.payload(), "stream list");
    all.insert(all.end(), page.entries.begin(), page.entries.end());
    if (page.entries.empty() || all.size() >= page.total) co_return all;
  }
}

asio::awaitable<std::uint64_t> purge_some(state_ptr state, std::string_view stream, const purge_options& options) {
  check_name("stream", stream);
  if (!options.filter_subject.empty()) check_filter("filter", options.filter_subject);
  const auto place = where(stream);
  if (options.below_sequence && options.keep) throw_error(errc::invalid_option, place + ": below_sequence and keep");
  const auto reply = co_await state->call(fmt::format("STREAM.PURGE.{}", stream), purge_body(options));
  co_return read_purged(reply.payload(), place);
}

asio::awaitable<std::uint64_t> purge_all(state_ptr state, std::string_view stream) {
  const purge_options everything;
  co_return co_await purge_some(std::move(state), stream, everything);
}

asio::awaitable<stored_message> get(state_ptr state, std::string_view stream, std::uint64_t sequence) {
  check_name("stream", stream);
  const auto place = fmt::format("stream \"{}\" sequence {}", stream, sequence);
  const auto reply =
      co_await state->call(fmt::format("STREAM.MSG.GET.{}", stream), fmt::format(R"({{"seq":{}}})", sequence));
  co_return read_stored_message(reply.payload(), place);
}

}  // namespace

asio::awaitable<stream_info> context::create_stream(const stream_config& config) { return create(state_, config); }

asio::awaitable<stream_info> context::update_stream(const stream_config& config) { return update(state_, config); }

asio::awaitable<stream_info> context::create_or_update_stream(const stream_config& config) {
  return create_or_update(state_, config);
}

asio::awaitable<stream_info> context::stream_info(std::string_view stream) { return find(state_, stream); }

asio::awaitable<void> context::delete_stream(std::string_view stream) { return remove(state_, stream); }

asio::awaitable<std::vector<std::string>> context::stream_names(std::string_view subject) {
  return names(state_, subject);
}

asio::awaitable<std::vector<stream_info>> context::list_streams() { return list(state_); }

asio::awaitable<std::uint64_t> context::purge(std::string_view stream, const purge_options& options) {
  return purge_some(state_, stream, options);
}

asio::awaitable<std::uint64_t> context::purge(std::string_view stream) { return purge_all(state_, stream); }

asio::awaitable<stored_message> context::get_message(std::string_view stream, std::uint64_t sequence) {
  return get(state_, stream, sequence);
}

}  // namespace compass_fabric::jetstream
