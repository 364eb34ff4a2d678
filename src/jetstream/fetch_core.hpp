// SPDX-License-Identifier: Apache-2.0
// One fetch under way: its inbox, its messages and its end.
#pragma once

#include "jetstream/consumer_state.hpp"
#include "jetstream/fetch_state.hpp"
#include "jetstream/wait_list.hpp"

#include <memory>
#include <vector>

namespace compass_fabric::jetstream {

/// Lives until the server can no longer answer its pull: messages that come after the end are handed back at once.
class fetch_core : public std::enable_shared_from_this<fetch_core> {
 public:
  fetch_core(std::shared_ptr<const consumer_state> consumer, std::size_t batch, const fetch_options& options);

  /// Sends the pull and waits for the end. Called once.
  boost::asio::awaitable<fetch_result> run();

 private:
  void send_pull();
  void on_message(const message_view& m);
  void on_event(const connection_event& event);
  boost::asio::awaitable<void> wait_over();
  fetch_result take_result();
  /// Withdraws interest; what arrives until the server has confirmed that is handed back.
  void retire();
  void hand_back() noexcept;

  std::shared_ptr<const consumer_state> consumer_;
  connection link_;
  std::size_t batch_;
  fetch_options options_;
  fetch_state state_;
  wait_list over_;
  std::vector<message> messages_;
  event_registration events_;
  std::string inbox_;
  subscription inbox_subscription_;
};

}  // namespace compass_fabric::jetstream
