// SPDX-License-Identifier: Apache-2.0
// One suspended operation: waits until somebody completes it, its deadline passes, or it is cancelled.
//
//   waiter w(scheduler);
//   list.push_back(w);               // registered before anything can complete it
//   scheduler.set_deadline(w, at);
//   error_code ec = co_await w.wait();
#pragma once

#include <cstddef>
#include <functional>
#include <new>
#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/intrusive/list.hpp>

#include <compass_fabric/error.hpp>

#include "proto/deadline_queue.hpp"

namespace compass_fabric::client {

namespace asio = boost::asio;
class scheduler;

/// Something that acts when its deadline passes; set with `scheduler::set_deadline`.
class timed : public proto::deadline_node {
 public:
  virtual void on_deadline() = 0;

 protected:
  ~timed() = default;
};

/// A deadline that calls a function.
class alarm final : public timed {
 public:
  explicit alarm(std::function<void()> action) : action_(std::move(action)) {}
  void on_deadline() override { action_(); }

 private:
  std::function<void()> action_;
};

using link_hook = boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// The outcome of a wait as one value, so that resuming neither throws nor builds a tuple.
struct wait_result {
  error_code error;
};

/// The continuation of one wait, kept in place: nothing is allocated for it.
class continuation {
 public:
  continuation() noexcept = default;
  continuation(const continuation&) = delete;
  continuation& operator=(const continuation&) = delete;
  ~continuation() { drop(); }

  template <class Handler>
  void set(Handler&& handler) {
    using type = std::decay_t<Handler>;
    static_assert(sizeof(type) <= sizeof storage_ && alignof(type) <= alignof(void*));
    new (storage_) type(std::forward<Handler>(handler));
    run_ = [](void* at, const wait_result* result) {
      // What it belongs to may go while it runs or is destroyed, and this storage with it.
      type* const stored = static_cast<type*>(at);
      type taken(std::move(*stored));
      stored->~type();
      if (result != nullptr) std::move(taken)(*result);
    };
  }
  explicit operator bool() const noexcept { return run_ != nullptr; }
  void resume(wait_result result) { take()(storage_, &result); }
  /// Destroys it unrun.
  void drop() noexcept {
    if (run_ != nullptr) take()(storage_, nullptr);
  }

 private:
  using function = void (*)(void*, const wait_result*);
  function take() noexcept { return std::exchange(run_, nullptr); }

  alignas(void*) std::byte storage_[4 * sizeof(void*)];
  function run_ = nullptr;
};

/// Lives in the frame of the operation that waits, or in an object that outlives the wait. Allocates nothing itself.
class waiter : public timed {
 public:
  explicit waiter(scheduler& s) noexcept : scheduler_(s) {}
  waiter(const waiter&) = delete;
  waiter& operator=(const waiter&) = delete;
  virtual ~waiter() = default;

  /// Awaits completion: no error, `errc::timeout`, `operation_aborted` when cancelled, or what `complete` was given.
  auto wait() {
    return asio::async_initiate<const asio::deferred_t&, void(wait_result)>(initiation{this}, asio::deferred);
  }
  /// Ends the wait; the waiting code runs in the scheduler's next turn, never inside this call. Later calls do nothing.
  void complete(error_code ec) noexcept;
  void on_deadline() override { complete(errc::timeout); }
  bool completed() const noexcept { return completed_; }

  /// For the list of whoever completes it; leaves that list by itself.
  link_hook peers;

 private:
  friend class scheduler;
  struct initiation {
    waiter* self;
    template <class Handler>
    void operator()(Handler&& handler) const {
      asio::any_io_executor executor = asio::get_associated_executor(handler, self->home());
      const auto slot = asio::get_associated_cancellation_slot(handler);
      self->continuation_.set(std::forward<Handler>(handler));
      self->start(std::move(executor), slot);
    }
  };
  struct foreign_turn;

  const asio::any_io_executor& home() const noexcept;
  void start(asio::any_io_executor executor, asio::cancellation_slot slot);
  void resume();

  scheduler& scheduler_;
  link_hook turn_;  // among the scheduler's waiting or ready ones
  continuation continuation_;
  asio::cancellation_slot slot_;
  asio::any_io_executor foreign_;  // where to resume; empty = on the scheduler's own executor
  error_code result_;
  bool completed_ = false;
};

using waiter_list = boost::intrusive::list<waiter, boost::intrusive::member_hook<waiter, link_hook, &waiter::peers>,
                                           boost::intrusive::constant_time_size<false>>;

/// Completes every waiter of `list`.
void complete_all(waiter_list& list, error_code ec) noexcept;

/// Throws `ec` as `system_error` naming `where` unless it is success.
inline void throw_if(error_code ec, std::string_view where) {
  if (ec) throw_error(ec, where);
}

}  // namespace compass_fabric::client
