// SPDX-License-Identifier: Apache-2.0
// What a connection handle refers to: the parts of a connection, and the run loop that makes one link after another.
#pragma once

#include <atomic>
#include <memory>
#include <random>
#include <string>

#include <compass_fabric/connection.hpp>

#include "client/authenticator.hpp"
#include "client/connector.hpp"
#include "client/event_hub.hpp"
#include "client/inbound.hpp"
#include "client/link.hpp"
#include "client/observer.hpp"
#include "client/outbound.hpp"
#include "client/requests.hpp"
#include "client/scheduler.hpp"
#include "client/unsent.hpp"
#include "proto/inbox.hpp"
#include "proto/server_pool.hpp"

namespace compass_fabric::client {

/// Kept alive by its run loop until it is closed, and by the handles.
class connection_core : public std::enable_shared_from_this<connection_core> {
 public:
  /// Throws `invalid_option` or `invalid_url`.
  connection_core(asio::any_io_executor executor, const connect_options& options);

  // What handles call.
  void start();
  asio::awaitable<void> wait_connected();
  error_code subscribe(subscription_state& s);
  /// As `subscribe`, also while draining: for the inbox of requests that handlers still make.
  error_code enter(subscription_state& s);
  void unsubscribe(subscription_state& s) noexcept;
  /// Ends `s` for `reason`; what waits can still be taken.
  void withdraw(subscription_state& s, error_code reason) noexcept;
  void unsubscribe_after(subscription_state& s, std::uint64_t max);
  asio::awaitable<void> drain_subscription(std::shared_ptr<subscription_state> s, std::chrono::milliseconds timeout);
  /// Waits for a link if there is none, then for the PONG of a PING.
  asio::awaitable<void> flush(proto::time_point until);
  asio::awaitable<void> barrier(proto::time_point until);
  asio::awaitable<void> drain(std::chrono::milliseconds timeout);
  void close(error_code reason) noexcept;
  /// The last handle is gone, perhaps on another thread, perhaps after the io_context.
  void release() noexcept;
  asio::awaitable<error_code> closed();
  std::string new_inbox() { return proto::inbox_subject(options_.inbox_prefix, ids_); }
  connection_state state() const noexcept;
  connection_stats stats() const noexcept;
  const server_info& info() const noexcept { return info_; }
  std::vector<known_server> servers() const;
  void set_servers(const std::vector<std::string>& addresses);
  void reconnect();
  /// The run loop is over; what waits from now on would wait for ever.
  bool ended() const noexcept { return ended_; }
  /// The executor's context is being destroyed: everything that refers to it goes. Does nothing the second time.
  void abandon() noexcept;
  bool finished() const noexcept { return finished_.load(std::memory_order_acquire); }

  // The parts.
  const connect_options& options() const noexcept { return options_; }
  scheduler& turns() noexcept { return *turns_; }
  outbound& out() noexcept { return out_; }
  inbound& in() noexcept { return in_; }
  event_hub& events() noexcept { return *events_; }
  observer& watched() noexcept { return observer_; }
  const observer& watched() const noexcept { return observer_; }
  class requests& requests() noexcept { return requests_; }

  /// Adds the credentials for the present attempt to `fields`. Returns why there are none.
  asio::awaitable<error_code> authenticate(const server_info& info, proto::connect_fields& fields);
  /// What stopped the reader is over.
  void resume_reading() noexcept {
    if (link_) link_->resume_reading();
  }

  // What the link reports.
  void on_info(const server_info& info);
  void on_ready(link& l);
  void on_pong(std::uint64_t pongs) noexcept;
  void on_lame_duck(const server_info& info);
  void on_server_error(const proto::server_error& e);

 private:
  struct flush_waiter;
  struct context_guard;
  using subscription_list = std::vector<std::shared_ptr<subscription_state>>;
  enum class stage : std::uint8_t { running, draining, closed };

  static asio::awaitable<void> run(std::shared_ptr<context_guard> alive);
  /// Until the connection has come to its end; returns why.
  asio::awaitable<error_code> serve();
  asio::awaitable<void> wait_for_link(proto::time_point until);
  asio::awaitable<void> settle(proto::time_point until);
  asio::awaitable<void> end_interest(const subscription_list& of, proto::time_point until);
  asio::awaitable<error_code> pause(std::chrono::milliseconds delay);
  /// How long to wait before the first server of the pool is tried; nothing when there is none.
  std::optional<std::chrono::milliseconds> next_pause();
  asio::awaitable<error_code> attempt(const proto::server_url& server);
  void abort_attempt(error_code reason) noexcept;
  void link_lost(error_code reason);
  void finish(error_code reason);
  void end_turn() noexcept;
  void flush_link() noexcept;
  void merge_announced(const server_info& info);
  void plan_leaving();
  void leave_link();
  void end_subscription(const proto::server_error& e);
  bool link_restored() const noexcept { return link_ && link_->restored(); }
  connection_event event(event_kind kind, error_code ec = {}) const;

  connect_options options_;
  std::shared_ptr<scheduler> turns_;
  std::shared_ptr<event_hub> events_;
  event_registration user_events_;
  event_registration log_;
  observer observer_;
  outbound out_;
  inbound in_;
  proto::id_generator ids_;
  class requests requests_;
  unsent unsent_;
  proto::server_pool pool_;
  std::minstd_rand random_;
  authenticator authenticator_;
  alarm leave_alarm_;
  std::shared_ptr<connector> connector_;
  std::shared_ptr<link> link_;
  server_info info_;
  proto::server_url target_;  // of the current or last link or attempt
  std::string server_;        // its address for people
  waiter_list until_connected_;
  waiter_list until_closed_;
  waiter_list flushing_;
  waiter_list pausing_;
  error_code close_reason_;
  error_code last_failure_;  // of an attempt or a link
  std::string failure_text_;
  proto::time_point connected_at_{};
  std::uint64_t attempts_ = 0;
  std::uint64_t links_ = 0;
  bool tls_seen_ = false;  // then no later link may be in plain text
  bool attempting_ = false;
  bool ended_ = false;
  bool drained_ = false;
  stage stage_ = stage::running;
  std::atomic<bool> finished_{false};  // no executor may be used any more
};

}  // namespace compass_fabric::client
