// SPDX-License-Identifier: Apache-2.0
#include "client/scheduler.hpp"

#include <exception>
#include <utility>

#include <boost/asio/post.hpp>

namespace compass_fabric::client {

void waiter::complete(error_code ec) noexcept {
  if (completed_) return;
  completed_ = true;
  result_ = ec;
  scheduler_.clear_deadline(*this);
  peers.unlink();
  if (!continuation_) return;  // start() will find the result
  slot_.clear();
  turn_.unlink();
  scheduler_.ready_.push_back(*this);
  scheduler_.schedule();
}

const asio::any_io_executor& waiter::home() const noexcept { return scheduler_.executor(); }

void waiter::start(asio::any_io_executor executor, asio::cancellation_slot slot) {
  if (executor != home()) foreign_ = std::move(executor);
  if (completed_) {
    scheduler_.ready_.push_back(*this);
    scheduler_.schedule();
    return;
  }
  scheduler_.waiting_.push_back(*this);
  slot_ = slot;
  if (slot_.is_connected()) slot_.assign([this](asio::cancellation_type) { complete(asio::error::operation_aborted); });
}

// Resumes on another executor; destroyed unrun, it destroys the waiting frame.
struct waiter::foreign_turn {
  explicit foreign_turn(waiter& w) noexcept : owner(&w) {}
  foreign_turn(foreign_turn&& other) noexcept : owner(std::exchange(other.owner, nullptr)) {}
  foreign_turn& operator=(foreign_turn&&) = delete;
  ~foreign_turn() {
    if (owner != nullptr) owner->continuation_.drop();
  }
  void operator()() {
    waiter& w = *std::exchange(owner, nullptr);
    w.continuation_.resume(wait_result{w.result_});
  }
  waiter* owner;
};

// The frame that holds this waiter may be gone when this returns.
void waiter::resume() {
  if (!foreign_) {
    continuation_.resume(wait_result{result_});
    return;
  }
  const auto executor = std::move(foreign_);
  asio::post(executor, foreign_turn(*this));
}

void complete_all(waiter_list& list, error_code ec) noexcept {
  while (!list.empty()) list.front().complete(ec);
}

// The frames that wait here belong to nobody but themselves. When the context is destroyed the handler of the timer is,
// without having run: that is how they get to know.
struct scheduler::timer_watch {
  explicit timer_watch(std::shared_ptr<scheduler> s) noexcept : owner(std::move(s)) {}
  timer_watch(timer_watch&&) noexcept = default;
  timer_watch& operator=(timer_watch&&) = delete;
  ~timer_watch() {
    if (owner) owner->abandon();
  }
  std::shared_ptr<scheduler> owner;
};

scheduler::scheduler(asio::any_io_executor executor, std::function<void()> flush)
    : executor_(std::move(executor)), flush_(std::move(flush)), timer_(std::in_place, executor_) {}

void scheduler::set_deadline(timed& node, proto::time_point at) {
  deadlines_.set(node, at);
  if (at < armed_) arm();
}

void scheduler::defer(std::function<void()> action) {
  deferred_.push_back(std::move(action));
  schedule();
}

void scheduler::post_turn() {
  if (stopped_) return;
  turn_pending_ = true;
  asio::post(executor_, [self = shared_from_this()] {
    self->turn_pending_ = false;
    self->run_turn();
  });
}

// What the flush makes ready waits for a turn of its own: otherwise a publisher woken by each write would keep this
// turn going and starve the reader.
void scheduler::run_turn() {
  const bool outer = std::exchange(turn_pending_, true);
  run_ready();
  if (!stopped_) flush_();
  turn_pending_ = outer;
  if (!ready_.empty() && !outer) post_turn();
}

void scheduler::run_ready() {
  while (!ready_.empty() || !deferred_.empty()) {
    while (!ready_.empty()) {
      waiter& next = ready_.front();
      ready_.pop_front();
      guarded([&] { next.resume(); });
    }
    const auto actions = std::exchange(deferred_, {});
    for (const auto& action : actions) guarded(action);
  }
}

void scheduler::arm() {
  const auto earliest = deadlines_.earliest();
  if (stopped_ || !earliest) return;
  armed_ = *earliest;
  timer_->expires_at(armed_);
  timer_->async_wait([watch = timer_watch(shared_from_this())](error_code ec) mutable {
    const auto self = std::move(watch.owner);
    if (!ec) self->on_timer();
  });
}

void scheduler::on_timer() {
  armed_ = proto::time_point::max();
  if (stopped_) return;
  const batch turn(*this);
  const auto at = now();
  while (proto::deadline_node* node = deadlines_.pop_expired(at))
    guarded([&] { static_cast<timed*>(node)->on_deadline(); });
  arm();
}

void scheduler::rethrow_later() noexcept {
  asio::post(executor_, [failure = std::current_exception()] { std::rethrow_exception(failure); });
}

void scheduler::stop() {
  run_ready();
  while (!waiting_.empty()) {  // for a handler that is still at work, with nobody left to tell them its end
    waiting_.front().complete(errc::connection_closed);
    run_ready();
  }
  stopped_ = true;
  timer_.reset();
}

void scheduler::abandon() noexcept {
  stopped_ = true;
  timer_.reset();
  deferred_.clear();
  for (turn_list* list : {&waiting_, &ready_}) {
    while (!list->empty()) {
      waiter& last = list->front();
      list->pop_front();
      last.continuation_.drop();  // destroys the frame, and `last` with it
    }
  }
}

}  // namespace compass_fabric::client
