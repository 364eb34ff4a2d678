// SPDX-License-Identifier: Apache-2.0
#include "testing/proxy_link.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace compass_fabric::testing {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t read_size = 64 * 1024;

std::size_t index(direction way) { return static_cast<std::size_t>(way); }

void close(asio::ip::tcp::socket& socket, bool with_reset) {
  error_code ignored;  // closing what the peer has closed already is not an error here
  if (with_reset) socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

}  // namespace

proxy_link::proxy_link(socket client, socket server, proxy_rule_pair& rules, std::mt19937_64& random,
                       std::function<void()> on_cut_point)
    : client_(std::move(client)),
      server_(std::move(server)),
      rules_(rules),
      random_(random),
      on_cut_point_(std::move(on_cut_point)),
      wake_{asio::steady_timer(client_.get_executor()), asio::steady_timer(client_.get_executor())} {
  client_.set_option(asio::ip::tcp::no_delay(true));
  server_.set_option(asio::ip::tcp::no_delay(true));
  for (const auto way : {direction::to_server, direction::to_client}) take_rewriter(way);
}

void proxy_link::start() {
  for (const auto way : {direction::to_server, direction::to_client}) {
    auto loop = pump(shared_from_this(), way);
    asio::co_spawn(client_.get_executor(), std::move(loop), asio::detached);
  }
}

void proxy_link::take_rewriter(direction way) { change_[index(way)] = rules(way).change; }

void proxy_link::wake(direction way) { wake_[index(way)].cancel(); }

void proxy_link::half_close(direction way) {
  error_code ignored;
  to(way).shutdown(asio::socket_base::shutdown_send, ignored);
}

void proxy_link::cut() {
  close(client_, false);
  close(server_, false);
  for (auto& timer : wake_) timer.cancel();
}

void proxy_link::reset() {
  close(client_, true);
  close(server_, true);
  for (auto& timer : wake_) timer.cancel();
}

proxy_link::awaitable proxy_link::pump(std::shared_ptr<proxy_link> self, direction way) {
  std::vector<char> buffer(read_size);
  try {
    for (;;) {
      co_await self->wait_until_open(way);
      const auto count = co_await self->from(way).async_read_some(asio::buffer(buffer), asio::use_awaitable);
      co_await self->wait_until_open(way);
      if (self->rules(way).state == flow::blackhole) continue;
      const std::string_view bytes(buffer.data(), count);
      auto& change = self->change_[index(way)];
      const std::string changed = change ? change(bytes) : std::string(bytes);
      co_await self->forward(way, changed);
    }
  } catch (const boost::system::system_error&) {  // an end was closed, by a peer or by a rule
  }
  // An end-of-file goes on in its own direction; the other pump ends when its own sender closes.
  self->half_close(way);
}

proxy_link::awaitable proxy_link::wait_until_open(direction way) {
  auto& timer = wake_[index(way)];
  while (rules(way).state == flow::paused && from(way).is_open()) {
    timer.expires_at(asio::steady_timer::time_point::max());
    co_await timer.async_wait(asio::as_tuple(asio::use_awaitable));
  }
}

proxy_link::awaitable proxy_link::forward(direction way, std::string_view bytes) {
  auto& rule = rules(way);
  while (!bytes.empty()) {
    if (rule.delay.count() != 0) {
      asio::steady_timer timer(client_.get_executor(), rule.delay);
      co_await timer.async_wait(asio::use_awaitable);
    }
    co_await wait_until_open(way);
    if (rule.state == flow::blackhole) co_return;
    const auto size = rule.next_piece(bytes.size(), random_);
    const auto piece = asio::buffer(bytes.data(), size);
    co_await asio::async_write(to(way), piece, asio::use_awaitable);
    bytes.remove_prefix(size);
    rule.bytes += size;
    if (!rule.cut_after) continue;
    *rule.cut_after -= size;
    if (*rule.cut_after == 0) on_cut_point_();
  }
}

}  // namespace compass_fabric::testing
