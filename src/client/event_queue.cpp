// SPDX-License-Identifier: Apache-2.0
#include "client/event_queue.hpp"

#include <algorithm>

#include "client/connection_core.hpp"

namespace compass_fabric {

namespace client {

event_queue::event_queue(std::shared_ptr<connection_core> core, std::size_t limit)
    : core_(std::move(core)), limit_(std::max<std::size_t>(limit, 1)), ended_(core_->ended()) {}

void event_queue::start() {
  registration_ = core_->events().add([queue = weak_from_this()](const connection_event& e) {
    if (const auto self = queue.lock()) self->push(e);
  });
}

void event_queue::push(const connection_event& e) {
  if (events_.size() == limit_) {
    events_.pop_front();
    ++dropped_;
  }
  events_.push_back(e);
  ended_ = e.kind == event_kind::closed;
  if (ended_) {
    complete_all(waiters_, {});
  } else if (!waiters_.empty()) {
    waiters_.front().complete({});
  }
}

std::optional<connection_event> event_queue::try_next() {
  if (events_.empty()) return std::nullopt;
  std::optional<connection_event> e = std::move(events_.front());
  events_.pop_front();
  return e;
}

asio::awaitable<connection_event> event_queue::next(std::chrono::milliseconds timeout,
                                                    std::shared_ptr<event_queue> /*keep_alive*/) {
  const auto until = proto::deadline_after(scheduler::now(), timeout);
  for (;;) {
    if (auto e = try_next()) co_return std::move(*e);
    if (ended_ || core_->ended()) throw_error(errc::connection_closed, "next event");
    waiter w(core_->turns());
    waiters_.push_back(w);
    core_->turns().set_deadline(w, until);
    const auto r = co_await w.wait();
    throw_if(r.error, "next event");
  }
}

}  // namespace client

boost::asio::awaitable<connection_event> event_stream::next(std::chrono::milliseconds timeout) {
  return queue_->next(timeout, queue_);
}

std::optional<connection_event> event_stream::try_next() { return queue_->try_next(); }

std::uint64_t event_stream::dropped() const noexcept { return queue_->dropped(); }

}  // namespace compass_fabric
