// SPDX-License-Identifier: Apache-2.0
// A flow under way: one inbox for its lifetime, the window that decides when to pull, and one coroutine that waits for
// deadlines. Messages pass from the reader to the queue, or to the handler, without a coroutine of their own.
#pragma once

#include "jetstream/consumer_state.hpp"
#include "jetstream/life_mark.hpp"
#include "jetstream/pull_state.hpp"
#include "jetstream/wait_list.hpp"

#include <deque>
#include <memory>
#include <string>

#include <compass_fabric/jetstream/message_stream.hpp>

namespace compass_fabric::jetstream {

/// Its coroutine keeps it alive until the inbox is drained, so that handlers may hold `this`.
class consume_core : public std::enable_shared_from_this<consume_core> {
 public:
  consume_core(std::shared_ptr<const consumer_state> consumer, delivery_handler handler,
               const consume_options& options);

  /// Subscribes, sends the first pull and starts the coroutine. Errors: throws those of `connection::subscribe`.
  static std::shared_ptr<consume_core> start(std::shared_ptr<const consumer_state> consumer, delivery_handler handler,
                                             const consume_options& options);

  // The coroutines hold the core: the handle may be gone when they start.
  static boost::asio::awaitable<std::optional<message>> next(std::shared_ptr<consume_core> self,
                                                             std::chrono::milliseconds timeout);
  std::optional<message> try_next();
  static boost::asio::awaitable<void> stop(std::shared_ptr<consume_core> self, stop_mode mode,
                                           std::chrono::milliseconds timeout);
  /// The handle is gone: stops with `release`, waits for nothing.
  void abandon() noexcept;

  bool active() const noexcept { return phase_ != phase::ended || !queue_.empty(); }
  std::size_t buffered() const noexcept { return queue_.size(); }
  std::uint64_t pulls() const noexcept { return pulls_; }
  error_code error() const noexcept { return error_; }
  boost::asio::any_io_executor get_executor() const noexcept { return consumer_->link.get_executor(); }
  /// Nothing is left to stop; the executor may be gone. Callable from any thread.
  bool over() const noexcept { return life_.over(); }

 private:
  /// flowing: pulls go out. stopping: interest is being withdrawn. ended: nothing arrives any more.
  enum class phase { flowing, stopping, ended };

  static boost::asio::awaitable<void> run(std::shared_ptr<consume_core> self, life alive);
  boost::asio::awaitable<void> flow();
  boost::asio::awaitable<void> check_consumer();
  boost::asio::awaitable<void> drain_inbox();
  void look();
  void pull();
  bool send(const pull_order& order);
  void on_inbox(const message_view& m);
  void on_message(const message_view& m);
  void handled(std::size_t bytes);
  void on_status(const message_view& m, const pull_status& line);
  void on_verdict(pull_verdict verdict, const pull_status& line);
  void on_link(const connection_event& event);
  void consumer_gone(error_code reason, std::string_view text);
  void fail(error_code reason, std::string_view text);
  void begin_stop(stop_mode mode) noexcept;
  void hand_back() noexcept;
  void report(consume_event_kind kind, error_code error = {}, std::string_view text = {});

  std::shared_ptr<const consumer_state> consumer_;
  life_mark life_;
  connection link_;
  delivery_handler handler_;
  consume_options options_;
  std::chrono::nanoseconds heartbeat_;
  pull_state state_;
  std::deque<message> queue_;
  wait_list receivers_;
  /// The coroutine's own sleep, and callers of `stop`.
  wait_list deadlines_;
  wait_list until_ended_;
  event_registration events_;
  /// Without the pull's number, with the last dot.
  std::string inbox_;
  subscription inbox_subscription_;
  std::uint64_t pulls_ = 0;
  error_code error_;
  error_code stop_error_;
  stop_mode mode_ = stop_mode::drain;
  phase phase_ = phase::flowing;
  bool must_check_ = false;
  bool missing_reported_ = false;
  bool abandoned_ = false;
};

}  // namespace compass_fabric::jetstream
