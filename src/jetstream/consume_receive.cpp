// SPDX-License-Identifier: Apache-2.0
// The receiving side of a flow: what its handle calls.
#include "jetstream/consume_core.hpp"
#include "proto/deadline_queue.hpp"

#include <utility>

namespace compass_fabric::jetstream {

namespace asio = boost::asio;

namespace {

using clock = std::chrono::steady_clock;

}  // namespace

asio::awaitable<std::optional<message>> consume_core::next(std::shared_ptr<consume_core> self,
                                                           std::chrono::milliseconds timeout) {
  const auto deadline = proto::deadline_after(clock::now(), timeout);
  for (;;) {
    if (auto ready = self->try_next()) {
      if (!self->queue_.empty()) self->receivers_.wake_one();
      co_return ready;
    }
    if (self->phase_ == phase::ended) {
      if (self->error_) throw_error(self->error_, self->consumer_->pull_subject);
      co_return std::nullopt;
    }
    const bool woken = co_await self->receivers_.wait(deadline);
    if (!woken) co_return self->try_next();
  }
}

std::optional<message> consume_core::try_next() {
  if (queue_.empty()) return std::nullopt;
  std::optional<message> first(std::move(queue_.front()));
  queue_.pop_front();
  state_.taken(first->size());
  pull();
  return first;
}

asio::awaitable<void> consume_core::stop(std::shared_ptr<consume_core> self, stop_mode mode,
                                         std::chrono::milliseconds timeout) {
  const auto deadline = proto::deadline_after(clock::now(), timeout);
  self->begin_stop(mode);
  while (self->phase_ != phase::ended) {
    const bool woken = co_await self->until_ended_.wait(deadline);
    if (!woken) throw_error(compass_fabric::errc::timeout, self->consumer_->pull_subject);
  }
  if (self->stop_error_) throw_error(self->stop_error_, self->consumer_->pull_subject);
}

void consume_core::abandon() noexcept {
  // The handlers may be the ones that let go of the handle: they stay until nobody runs in them.
  abandoned_ = true;
  begin_stop(stop_mode::release);
}

}  // namespace compass_fabric::jetstream
