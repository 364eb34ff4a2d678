// SPDX-License-Identifier: Apache-2.0
// Requests waiting for their replies: one shared inbox subscription, made with the first request.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <compass_fabric/connection.hpp>

#include "client/scheduler.hpp"
#include "proto/request_table.hpp"

namespace compass_fabric::client {

class connection_core;
class subscription_state;

/// One request in the frame of its caller. It leaves the table when it goes out of scope, however the wait ended.
class pending_request : public waiter {
 public:
  /// `subject` must outlive it.
  pending_request(scheduler& s, proto::request_table<pending_request>& table, std::string_view subject,
                  bool ends_with_link) noexcept
      : waiter(s), table_(table), subject_(subject), ends_with_link_(ends_with_link) {}
  ~pending_request() override { close(); }

  bool open() { return (token_ = table_.open(this)) != 0; }
  void close() noexcept;
  /// A reply came while it waits.
  virtual void on_reply(const message_view& m) = 0;
  std::uint64_t token() const noexcept { return token_; }
  std::string_view subject() const noexcept { return subject_; }
  /// The loss of the link is its end.
  bool ends_with_link() const noexcept { return ends_with_link_; }
  /// It waits at an inbox of its own, not at the shared one.
  virtual bool has_own_inbox() const noexcept { return false; }
  /// A reply has come through its own inbox, so the server did not refuse that.
  virtual bool own_inbox_proven() const noexcept { return false; }

 private:
  proto::request_table<pending_request>& table_;
  std::string_view subject_;
  std::uint64_t token_ = 0;
  bool ends_with_link_;
};

class requests {
 public:
  requests(connection_core& core, std::string inbox) : core_(core), table_(std::move(inbox)) {}

  /// `alive` is the connection: a frame whose context is destroyed may go after everything else that held it.
  asio::awaitable<message> request(std::string_view subject, std::string_view payload, request_options options,
                                   std::shared_ptr<connection_core> alive);
  asio::awaitable<std::vector<message>> request_many(std::string_view subject, std::string_view payload,
                                                     request_many_options options,
                                                     std::shared_ptr<connection_core> alive);
  /// Ends every waiting request with `ec`.
  void fail_all(error_code ec) noexcept;
  /// The server refused `s`: who waits there ends with `ec`; the next request tries anew.
  void subscription_refused(const subscription_state& s, error_code ec) noexcept;
  /// The server refused some subscription and does not say which. An inbox is under suspicion until a reply has come
  /// through it.
  void some_subscription_refused(error_code ec) noexcept;
  /// Ends the requests to exactly `subject`: the server refused their publish.
  void fail_subject(std::string_view subject, error_code ec) noexcept;
  /// Ends the request that waits for replies on `reply`, if there is one.
  void fail_reply(std::string_view reply, error_code ec) noexcept;
  /// Ends the requests that do not outlive their link, unless it was `left` with everything confirmed.
  void link_lost(bool left) noexcept;
  /// True when `reply` belongs to a request that does not outlive its link, or did not.
  bool ends_with_link(std::string_view reply) const noexcept;
  /// True when `reply` belongs to a request of this connection.
  bool owns(std::string_view reply) const noexcept { return table_.owns(reply); }
  /// Waits until no request is pending; throws `timeout`.
  asio::awaitable<void> settled(proto::time_point until);
  bool is_inbox(const subscription_state& s) const noexcept { return inbox_.get() == &s; }
  std::size_t size() const noexcept { return table_.size(); }
  /// The shared inbox goes with the connection.
  void release() noexcept;

 private:
  class pending_many;

  void ensure_inbox();
  void fail_shared(error_code ec) noexcept;
  bool ends_with_link(request_loss rule) const noexcept;
  void on_reply(const message_view& m);
  void finished() noexcept;
  std::shared_ptr<subscription_state> make_own_inbox(pending_many& r, const request_many_options& options);

  connection_core& core_;
  proto::request_table<pending_request> table_;
  std::shared_ptr<subscription_state> inbox_;
  bool proven_ = false;  // a reply has come through the inbox on this link
  waiter_list settling_;
};

}  // namespace compass_fabric::client
