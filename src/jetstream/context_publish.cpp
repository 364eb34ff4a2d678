// SPDX-License-Identifier: Apache-2.0
// `context::publish`: one message, its acknowledgement, and the retries between them.
#include <compass_fabric/async.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include "jetstream/context_state.hpp"
#include "jetstream/publish_attempts.hpp"
#include "jetstream/publish_fields.hpp"
#include "jetstream/replies.hpp"

#include <fmt/format.h>

#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

using clock = std::chrono::steady_clock;
using reply_result = boost::system::result<compass_fabric::message>;

/// The message may have left, and nothing tells what became of it.
bool in_doubt(error_code error, bool was_open) noexcept {
  if (error == compass_fabric::errc::timeout || error == compass_fabric::errc::connection_lost) return true;
  return error == compass_fabric::errc::connection_closed && was_open;
}

[[noreturn]] void give_up(error_code error, std::string_view subject) {
  throw_error(error, fmt::format("publish to \"{}\"", subject));
}

asio::awaitable<void> pause_until(clock::time_point time) {
  asio::steady_timer timer(co_await asio::this_coro::executor, time);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<publish_ack> publish_with_retries(std::shared_ptr<const context_state> state, std::string_view subject,
                                                  std::string_view payload, publish_options options) {
  check_retry(options.retry, "retry options of a publish");
  const auto fields = publish_fields(options);
  auto nc = state->link();
  publish_attempts attempts(options.retry, fields.get("Nats-Msg-Id").has_value(), clock::now());
  request_options request;
  if (!fields.empty()) request.fields = &fields;
  for (;;) {
    request.timeout = attempts.ack_wait(clock::now());
    const bool was_open = nc.state() != connection_state::closed;
    const reply_result reply = co_await as_result(nc.request(subject, payload, request));
    publish_decision next;
    if (reply.has_value()) {
      try {
        co_return read_publish_ack(reply->payload(), subject);
      } catch (const api_error& e) {
        next = attempts.refused(e.err_code(), e.code(), clock::now());
        if (next.error == e.code()) throw;
      }
    } else if (reply.error() == compass_fabric::errc::no_responders) {
      next = attempts.no_stream(clock::now());
    } else if (in_doubt(reply.error(), was_open)) {
      next = attempts.no_ack(clock::now());
    } else {
      give_up(reply.error(), subject);
    }
    if (!next.again()) give_up(next.error, subject);
    co_await pause_until(next.retry_at);
  }
}

}  // namespace

asio::awaitable<publish_ack> context::publish(std::string_view subject, std::string_view payload,
                                              publish_options options) {
  return publish_with_retries(state_, subject, payload, std::move(options));
}

}  // namespace compass_fabric::jetstream
