// SPDX-License-Identifier: Apache-2.0
// The running subscription: one pump that takes events from the consumer, workers that run handlers, a ticker for the
// leases and a guard for the shared consumer. All of them are coroutines on the connection's executor that share this
// object; each looks at `stopping_` after every wait.
#pragma once

#include "fabric/backlog.hpp"
#include "fabric/fabric_state.hpp"
#include "fabric/park_watcher.hpp"
#include "fabric/retry.hpp"
#include "fabric/wake_up.hpp"

#include <compass_fabric/fabric/event.hpp>
#include <compass_fabric/fabric/event_subscription.hpp>
#include <compass_fabric/jetstream/consumer.hpp>
#include <compass_fabric/jetstream/message_stream.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace compass_fabric::fabric {

/// The first value of `options` outside its range, or nothing.
std::optional<fault> check(const delivery_options& options);

class subscription_core : public std::enable_shared_from_this<subscription_core> {
 public:
  using clock = std::chrono::steady_clock;

  /// `options` passed `check`.
  subscription_core(std::shared_ptr<const fabric_state> state, std::string subject, handler h,
                    const delivery_options& options);

  void start();
  // These coroutines hold the core: the handle may be gone when they start.
  static boost::asio::awaitable<void> ready(std::shared_ptr<subscription_core> self);
  static boost::asio::awaitable<void> stop(std::shared_ptr<subscription_core> self, std::chrono::milliseconds timeout);
  static boost::asio::awaitable<error_code> closed(std::shared_ptr<subscription_core> self);
  /// Begins to stop; a second call can only bring the deadline forward.
  void begin_stop(std::chrono::milliseconds timeout);
  boost::asio::any_io_executor get_executor() const noexcept { return state_->nc.get_executor(); }
  /// Nothing is left to stop; the executor may be gone. Callable from any thread.
  bool over() const noexcept { return alive_.expired(); }

  const std::string& subject() const noexcept { return subject_; }
  const std::string& durable() const noexcept { return durable_; }
  delivery_stats stats() const;

 private:
  using self_ptr = std::shared_ptr<subscription_core>;
  /// Held by the coroutines that a stop concerns: gone when they ended, or their context is destroyed.
  using life = std::shared_ptr<void>;
  enum class phase { starting, running, ended };
  enum class flow_phase { closed, open, closing };

  // subscription_core.cpp: life and death.
  static boost::asio::awaitable<void> run(self_ptr self, life alive);
  boost::asio::awaitable<void> prepare();
  static boost::asio::awaitable<void> shut_down(self_ptr self, life alive);
  boost::asio::awaitable<void> wait_until_answered(clock::time_point end);
  boost::asio::awaitable<void> give_back_waiting();
  boost::asio::awaitable<void> give_back_all();
  void fail(error_code error, std::string text);
  bool covers_every_tenant() const;
  boost::asio::awaitable<void> report_overlap();

  // delivery_flow.cpp: from the consumer into the backlog, and what keeps both healthy.
  boost::asio::awaitable<void> pump();
  boost::asio::awaitable<error_code> flow_once();
  boost::asio::awaitable<void> close_flow();
  boost::asio::awaitable<void> recover(error_code why);
  boost::asio::awaitable<void> recreate_consumer();
  bool room() const;
  void accept(jetstream::message m);
  static boost::asio::awaitable<void> tick_leases(self_ptr self);
  static boost::asio::awaitable<void> guard_consumer(self_ptr self);
  boost::asio::awaitable<void> look_at_consumer();
  boost::asio::awaitable<void> check_consumer();
  void report_once(fabric_event_kind kind, const std::string& text, std::string& reported);
  void on_flow_event(const jetstream::consume_event& e);

  // delivery_work.cpp: from the backlog through the handler to the answer.
  static boost::asio::awaitable<void> work(self_ptr self);
  boost::asio::awaitable<delivery_ptr> next_delivery();
  boost::asio::awaitable<void> process(delivery_ptr d);
  boost::asio::awaitable<void> run_attempt(delivery& d, const event& e, attempt& finished);
  boost::asio::awaitable<bool> sit_out(delivery& d, unsigned outages);
  std::uint64_t budget() const;
  boost::asio::awaitable<void> answer(delivery& d, const attempt& finished);
  void answer_now(delivery& d, const decision& next);
  boost::asio::awaitable<void> give_back(delivery& d);
  boost::asio::awaitable<void> park(delivery& d, const std::string& reason);
  void finish(const delivery& d);
  void report(fabric_event_kind kind, const jetstream::message& m, error_code error, std::string text = {});

  std::shared_ptr<const fabric_state> state_;
  const std::string subject_;
  const std::string durable_;
  const handler handler_;
  const delivery_options options_;
  std::shared_ptr<park_watcher> watcher_;
  std::weak_ptr<void> alive_;

  phase phase_ = phase::starting;
  bool stopping_ = false;
  clock::time_point stop_deadline_ = clock::time_point::max();
  error_code error_;
  std::string error_text_;

  jetstream::message_stream stream_;
  flow_phase flow_ = flow_phase::closed;
  delivery_stats stats_;
  backlog backlog_;
  // Events held back by an outage; while there are any, no other handler is started.
  std::size_t held_ = 0;
  std::string reported_drift_;
  std::string reported_ahead_;
  bool consumer_in_doubt_ = false;

  wake_up work_;     // an event waits, or the pause ended
  wake_up room_;     // an event left the backlog
  wake_up changed_;  // phase or stop deadline changed
  wake_up doubt_;    // the consumer should be looked at
};

}  // namespace compass_fabric::fabric
