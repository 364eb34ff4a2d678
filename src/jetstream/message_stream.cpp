// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/message_stream.hpp>

#include "jetstream/consume_core.hpp"

#include <utility>

#include <boost/asio/dispatch.hpp>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

void let_go(std::shared_ptr<consume_core> core) {
  if (!core || core->over()) return;
  const auto executor = core->get_executor();
  asio::dispatch(executor, [c = std::move(core)] { c->abandon(); });
}

}  // namespace

const char* to_string(consume_event_kind kind) noexcept {
  switch (kind) {
    case consume_event_kind::pull_lost: return "pull lost";
    case consume_event_kind::resumed: return "resumed";
    case consume_event_kind::message_too_large: return "message too large";
    case consume_event_kind::consumer_missing: return "consumer missing";
    case consume_event_kind::ended: return "ended";
  }
  return "unknown event";
}

message_stream::message_stream(std::shared_ptr<consume_core> core) noexcept : core_(std::move(core)) {}

message_stream& message_stream::operator=(message_stream&& other) noexcept {
  if (this != &other) let_go(std::exchange(core_, std::move(other.core_)));
  return *this;
}

message_stream::~message_stream() { let_go(std::move(core_)); }

asio::awaitable<std::optional<message>> message_stream::next(std::chrono::milliseconds timeout) {
  return consume_core::next(core_, timeout);
}

std::optional<message> message_stream::try_next() { return core_->try_next(); }

asio::awaitable<void> message_stream::stop(stop_mode mode, std::chrono::milliseconds timeout) {
  return consume_core::stop(core_, mode, timeout);
}

bool message_stream::active() const noexcept { return core_ && core_->active(); }
std::size_t message_stream::buffered() const noexcept { return core_ ? core_->buffered() : 0; }
std::uint64_t message_stream::pulls() const noexcept { return core_ ? core_->pulls() : 0; }
error_code message_stream::error() const noexcept { return core_ ? core_->error() : error_code(); }

}  // namespace compass_fabric::jetstream
