// SPDX-License-Identifier: Apache-2.0
// Coroutine handlers: workers that take messages from the queue one after the other, as many as may run at a time.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "client/connection_core.hpp"
#include "client/subscription_state.hpp"

namespace compass_fabric::client {

// Goes with a worker, or with the wish for one. When the worker did not come to its end, its frame was destroyed with
// the context: none will run again and let go of the handler, which may own the connection.
struct subscription_state::working {
  explicit working(std::shared_ptr<subscription_state> s) noexcept : state(std::move(s)) {}
  working(const working&) = delete;
  working& operator=(const working&) = delete;
  ~working() {
    if (done) return;
    state->core_->abandon();
    state->waiting_->messages.clear();
    state->waiting_->handlers->handler.reset();
  }
  const std::shared_ptr<subscription_state> state;
  bool done = false;
};

// Workers start with the first messages that need them and stay; not inside the reader, which must not run a handler.
void subscription_state::add_worker() {
  ++waiting_->handlers->started;
  core_->turns().defer([life = std::make_shared<working>(shared_from_this())] {
    auto loop = work(life);
    asio::co_spawn(life->state->core_->turns().executor(), std::move(loop), asio::detached);
  });
}

asio::awaitable<void> subscription_state::work(std::shared_ptr<working> life) {
  const auto& self = life->state;
  auto& messages = self->waiting_->messages;
  for (;;) {
    while (messages.empty()) {
      if (self->ended_) {
        self->waiting_->handlers->handler.reset();
        life->done = true;
        co_return;
      }
      waiter w(self->core_->turns());
      self->waiting_->takers.push_back(w);
      co_await w.wait();
    }
    co_await self->handle_one();
  }
}

asio::awaitable<void> subscription_state::handle_one() {
  auto& handlers = *waiting_->handlers;
  const auto handler = handlers.handler;
  const std::uint64_t number = waiting_->messages.passed();
  handlers.progress.begin(number);
  message m = take();
  try {
    auto handling = (*handler)(std::move(m));
    co_await std::move(handling);
  } catch (...) {
    core_->turns().rethrow_later();
  }
  handlers.progress.finish(number);
  complete_all(waiting_->watchers, {});  // they look whether it was theirs
}

std::uint64_t subscription_state::received_for_workers() const noexcept {
  if (!waiting_ || !waiting_->handlers) return 0;
  return waiting_->messages.passed() + waiting_->messages.size();
}

bool subscription_state::handled_before(std::uint64_t end) const noexcept {
  return waiting_->messages.passed() >= end && waiting_->handlers->progress.none_below(end);
}

asio::awaitable<bool> subscription_state::handled(std::uint64_t end, proto::time_point until) {
  while (end != 0 && !handled_before(end)) {
    waiter w(core_->turns());
    waiting_->watchers.push_back(w);
    core_->turns().set_deadline(w, until);
    const auto result = co_await w.wait();
    if (result.error == errc::timeout) co_return false;
    throw_if(result.error, "barrier");
  }
  co_return true;
}

}  // namespace compass_fabric::client
