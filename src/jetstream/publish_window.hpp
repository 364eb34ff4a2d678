// SPDX-License-Identifier: Apache-2.0
// The window of a publisher: a table of open messages, one inbox for their acks, and a coroutine that looks for those
// whose time has come.
#pragma once

#include "jetstream/life_mark.hpp"
#include "jetstream/publish_slot.hpp"
#include "jetstream/wait_list.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <compass_fabric/jetstream/publisher.hpp>

namespace compass_fabric::jetstream {

/// An ack's subject is `<inbox>.<token>`; a token is a slot's number and its generation in one, so it is found without
/// a search and never comes twice. Kept alive by its coroutine until closed, so that handlers may hold `this`.
class publish_window : public std::enable_shared_from_this<publish_window> {
 public:
  publish_window(const connection& link, const publisher_options& options, publish_outcome_handler on_outcome);

  /// Subscribes and starts the coroutine. Errors: throws those of `connection::subscribe`.
  static std::shared_ptr<publish_window> start(const connection& link, const publisher_options& options,
                                               publish_outcome_handler on_outcome);

  // The coroutines hold the window: the handle may be gone when they start.
  static boost::asio::awaitable<void> publish(std::shared_ptr<publish_window> self, std::string_view subject,
                                              std::string_view payload, publish_options options, std::uint64_t tag);
  error_code try_publish(std::string_view subject, std::string_view payload, const publish_options& options,
                         std::uint64_t tag);
  static boost::asio::awaitable<void> wait_all(std::shared_ptr<publish_window> self);
  /// Ends it: every open message has the outcome `ack_unknown`.
  void close();

  std::size_t open() const noexcept { return slots_.size() - free_.size(); }
  boost::asio::any_io_executor get_executor() const noexcept { return link_.get_executor(); }
  /// Nothing is left to close; the executor may be gone. Callable from any thread.
  bool over() const noexcept { return life_.over(); }

 private:
  static boost::asio::awaitable<void> run(std::shared_ptr<publish_window> self, life alive);
  std::size_t take_slot(std::string_view subject, std::string_view payload, const publish_options& options,
                        std::uint64_t tag);
  void mark_sent(publish_slot& slot);
  void release_slot(std::size_t index);
  publish_slot* find(std::string_view token, std::size_t& index);
  void on_reply(const message_view& m);
  void on_link(const connection_event& event);
  void look();
  void send_again(std::size_t index);
  void decide(std::size_t index, const publish_decision& decision);
  void finish(std::size_t index, publish_outcome outcome);
  void finish_all(error_code reason);

  life_mark life_;
  connection link_;
  publisher_options options_;
  publish_outcome_handler on_outcome_;
  std::vector<publish_slot> slots_;
  std::vector<std::size_t> free_;
  wait_list room_;
  wait_list all_done_;
  wait_list work_;
  event_registration events_;
  std::string inbox_;
  subscription inbox_subscription_;
  bool closed_ = false;
};

}  // namespace compass_fabric::jetstream
