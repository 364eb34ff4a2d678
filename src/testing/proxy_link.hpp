// SPDX-License-Identifier: Apache-2.0
// One connection that passes a `fault_proxy`: two sockets and a pump for each direction.
#pragma once

#include "testing/proxy_rules.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <functional>
#include <memory>
#include <random>
#include <string_view>

namespace compass_fabric::testing {

/// Lives as long as one of its pumps; used on the proxy's thread only.
class proxy_link : public std::enable_shared_from_this<proxy_link> {
 public:
  using socket = boost::asio::ip::tcp::socket;

  /// `on_cut_point` is called when the byte count of `cut_after` has been reached.
  proxy_link(socket client, socket server, proxy_rule_pair& rules, std::mt19937_64& random,
             std::function<void()> on_cut_point);

  void start();
  /// Gives this link its copy of the rewriter now in the rules.
  void take_rewriter(direction way);
  /// Has a paused pump look at its rules again.
  void wake(direction way);
  void half_close(direction way);
  void cut();
  void reset();

 private:
  using awaitable = boost::asio::awaitable<void>;
  static awaitable pump(std::shared_ptr<proxy_link> self, direction way);
  awaitable wait_until_open(direction way);
  awaitable forward(direction way, std::string_view bytes);

  socket& from(direction way) { return way == direction::to_server ? client_ : server_; }
  socket& to(direction way) { return way == direction::to_server ? server_ : client_; }
  proxy_rules& rules(direction way) { return rules_[static_cast<std::size_t>(way)]; }

  socket client_;
  socket server_;
  proxy_rule_pair& rules_;
  std::mt19937_64& random_;
  std::function<void()> on_cut_point_;
  std::array<rewriter, 2> change_;
  std::array<boost::asio::steady_timer, 2> wake_;
};

}  // namespace compass_fabric::testing
