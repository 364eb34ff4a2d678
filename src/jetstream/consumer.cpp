// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/consumer.hpp>

#include "jetstream/consume_core.hpp"
#include "jetstream/consumer_state.hpp"
#include "jetstream/fetch_core.hpp"

#include <fmt/format.h>

#include <utility>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

constexpr std::chrono::hours longest_heartbeat{24};

[[noreturn]] void refuse(std::string_view what) { throw_error(errc::invalid_option, what); }

void check_fetch(std::size_t batch, const fetch_options& options) {
  if (batch == 0) refuse("fetch: batch is 0");
  if (options.expires.count() < 1) refuse("fetch: expires below 1 ms");
  if (options.idle_heartbeat.count() < 0) refuse("fetch: negative idle_heartbeat");
  if (options.no_wait && options.idle_heartbeat.count() != 0) refuse("fetch: no_wait has no heartbeats");
  if (options.idle_heartbeat > options.expires / 2) refuse("fetch: idle_heartbeat above half of expires");
  if (options.idle_heartbeat > longest_heartbeat) refuse("fetch: idle_heartbeat above 24 hours");
}

void check_consume(const consume_options& options) {
  if (options.max_messages == 0) refuse("consume: max_messages is 0");
  if (options.expires < milliseconds(100)) refuse("consume: expires below 100 ms");
  if (options.idle_heartbeat.count() < 0) refuse("consume: negative idle_heartbeat");
  if (options.idle_heartbeat > options.expires / 2) refuse("consume: idle_heartbeat above half of expires");
  if (options.idle_heartbeat > longest_heartbeat) refuse("consume: idle_heartbeat above 24 hours");
  if (options.refill_percent < 0 || options.refill_percent > 99) refuse("consume: refill_percent not in 0 to 99");
}

using state_ptr = std::shared_ptr<const consumer_state>;

asio::awaitable<fetch_result> fetch_batch(state_ptr state, std::size_t batch, fetch_options options) {
  check_fetch(batch, options);
  const auto core = std::make_shared<fetch_core>(state, batch, options);
  co_return co_await core->run();
}

asio::awaitable<std::optional<message>> fetch_one(state_ptr state, milliseconds timeout) {
  fetch_options options;
  options.expires = timeout;
  auto result = co_await fetch_batch(state, 1, options);
  if (!result.messages.empty()) co_return std::move(result.messages.front());
  if (result.error) throw_error(result.error, state->pull_subject);
  co_return std::nullopt;
}

}  // namespace

consumer_state::consumer_state(const context& owner, const connection& nc, std::string_view next_verb,
                               std::string_view stream_name, std::string_view consumer_name)
    : js(owner),
      link(nc),
      stream(stream_name),
      name(consumer_name),
      pull_subject(fmt::format("{}.{}.{}", next_verb, stream_name, consumer_name)) {}

pull_consumer::pull_consumer(std::shared_ptr<const consumer_state> state) noexcept : state_(std::move(state)) {}

asio::awaitable<fetch_result> pull_consumer::fetch(std::size_t batch, fetch_options options) {
  return fetch_batch(state_, batch, options);
}

asio::awaitable<std::optional<message>> pull_consumer::next(milliseconds timeout) { return fetch_one(state_, timeout); }

message_stream pull_consumer::consume(const consume_options& options) { return consume(delivery_handler(), options); }

message_stream pull_consumer::consume(delivery_handler handler, const consume_options& options) {
  check_consume(options);
  return message_stream(consume_core::start(state_, std::move(handler), options));
}

std::string_view pull_consumer::stream() const noexcept { return state_->stream; }
std::string_view pull_consumer::name() const noexcept { return state_->name; }

}  // namespace compass_fabric::jetstream
