// SPDX-License-Identifier: Apache-2.0
#include "client/dialer.hpp"

#include <optional>
#include <vector>

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "proto/address_race.hpp"

namespace compass_fabric::client {

namespace {

using asio::ip::tcp;
constexpr auto nothrow = asio::as_tuple(asio::use_awaitable);

#ifdef TCP_NOTSENT_LOWAT
// How much the system may hold unsent before it asks for a pause, and again before it asks for more. Left to itself it
// wants a third of its buffer free: on a slow link that is megabytes later, which looks like no progress at all.
class unsent_limit {
 public:
  template <class Protocol>
  int level(const Protocol&) const noexcept {
    return IPPROTO_TCP;
  }
  template <class Protocol>
  int name(const Protocol&) const noexcept {
    return TCP_NOTSENT_LOWAT;
  }
  template <class Protocol>
  const int* data(const Protocol&) const noexcept {
    return &bytes_;
  }
  template <class Protocol>
  std::size_t size(const Protocol&) const noexcept {
    return sizeof bytes_;
  }

 private:
  int bytes_ = 128 * 1024;
};
#endif

std::vector<tcp::endpoint> ordered(const std::vector<tcp::endpoint>& found, address_order order) {
  std::vector<bool> is_ipv6;
  is_ipv6.reserve(found.size());
  for (const auto& endpoint : found) is_ipv6.push_back(endpoint.protocol() == tcp::v6());
  std::vector<tcp::endpoint> result;
  result.reserve(found.size());
  for (const auto index : proto::order_addresses(is_ipv6, order)) result.push_back(found[index]);
  return result;
}

error_code prepare(tcp::socket& socket, const tcp::endpoint& peer, const dial_options& options) {
  error_code ec;
  socket.open(peer.protocol(), ec);
  if (!ec) socket.set_option(tcp::no_delay(true), ec);
#ifdef TCP_NOTSENT_LOWAT
  error_code ignored;  // without it only slow links suffer
  if (!ec) socket.set_option(unsent_limit(), ignored);
#endif
  if (!ec && options.send_buffer != 0)
    socket.set_option(asio::socket_base::send_buffer_size(static_cast<int>(options.send_buffer)), ec);
  if (!ec && options.receive_buffer != 0)
    socket.set_option(asio::socket_base::receive_buffer_size(static_cast<int>(options.receive_buffer)), ec);
  if (ec || options.local_address.empty()) return ec;
  const auto local = asio::ip::make_address(options.local_address, ec);
  if (!ec) socket.bind({local, 0}, ec);
  return ec;
}

error_code to_code(std::exception_ptr failure) {
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const system_error& e) {
    return e.code();
  } catch (...) {  // a user's resolver may throw anything
    return asio::error::host_not_found;
  }
}

std::vector<tcp::endpoint> parse_addresses(const std::vector<std::string>& texts, std::uint16_t port) {
  std::vector<tcp::endpoint> result;
  for (const auto& text : texts) {
    error_code fault;
    const auto address = asio::ip::make_address(text, fault);
    if (!fault) result.emplace_back(address, port);
  }
  return result;
}

// Holds the function its coroutine may refer to.
asio::awaitable<std::vector<std::string>> ask(resolve_function resolve, std::string host) {
  auto addresses = co_await resolve(std::move(host));
  co_return addresses;
}

}  // namespace

// What the handlers of resolver and sockets report to. The one who waits is woken by the end of `wake`.
class dialer::state : public std::enable_shared_from_this<dialer::state> {
 public:
  explicit state(const asio::any_io_executor& executor) : wake(executor), resolver(executor), winner(executor) {}

  void resolved(error_code ec, std::vector<tcp::endpoint> addresses) {
    answered = true;
    error = ec;
    endpoints = std::move(addresses);
    wake.cancel();
  }

  void start(std::size_t index, const dial_options& options) {
    auto socket = std::make_shared<tcp::socket>(wake.get_executor());
    if (const auto ec = prepare(*socket, endpoints[index], options)) {
      lost(index, ec);
      return;
    }
    running.push_back(socket);
    socket->async_connect(endpoints[index], [self = shared_from_this(), socket, index](error_code ec) {
      self->ended(index, *socket, ec);
    });
  }

  void give_up(error_code reason) noexcept {
    aborted = reason;
    resolver.cancel();
    cancel_asking.emit(asio::cancellation_type::terminal);
    close_all();
    wake.cancel();
  }

  void close_all() noexcept {
    error_code ignored;
    for (const auto& socket : running) socket->close(ignored);
    running.clear();
  }

  asio::steady_timer wake;
  tcp::resolver resolver;
  asio::cancellation_signal cancel_asking;  // of the user's resolver
  bool answered = false;
  std::vector<tcp::endpoint> endpoints;
  std::optional<proto::address_race> race;
  std::vector<std::shared_ptr<tcp::socket>> running;
  tcp::socket winner;
  bool won = false;
  error_code error;
  error_code aborted;
  std::string text;

 private:
  void ended(std::size_t index, tcp::socket& socket, error_code ec) {
    if (aborted || won) return;
    if (ec) {
      lost(index, ec);
    } else {
      won = true;
      winner = std::move(socket);
      close_all();
    }
    wake.cancel();
  }

  void lost(std::size_t index, error_code ec) {
    race->failed();
    error = ec;
    const auto& at = endpoints[index];
    const auto address = at.address().to_string();
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", address, ec.message());
  }
};

dialer::dialer(const asio::any_io_executor& executor, const dial_options& options)
    : options_(options), state_(std::make_shared<state>(executor)) {}

dialer::~dialer() { abort(asio::error::operation_aborted); }

asio::awaitable<error_code> dialer::connect(std::string host, std::uint16_t port) {
  const auto s = state_;
  const error_code unknown = co_await resolve(std::move(host), port);
  if (s->aborted) co_return s->aborted;
  if (unknown) co_return unknown;
  s->endpoints = ordered(s->endpoints, options_.order);
  s->error = asio::error::host_not_found;
  s->race.emplace(s->endpoints.size(), options_.stagger);
  using kind = proto::address_race::move::kind_type;
  while (!s->won && !s->aborted) {
    const auto move = s->race->next(std::chrono::steady_clock::now());
    if (move.kind == kind::lost) co_return s->error;
    if (move.kind == kind::start) {
      s->start(move.index, options_);
      continue;
    }
    s->wake.expires_at(move.until);
    co_await s->wake.async_wait(nothrow);
  }
  co_return s->aborted;
}

// A literal address needs no resolver. The system's resolver blocks a thread of Asio's and cannot be interrupted there;
// what waits here can.
asio::awaitable<error_code> dialer::resolve(std::string host, std::uint16_t port) {
  const auto s = state_;
  error_code not_literal;
  const auto literal = asio::ip::make_address(host, not_literal);
  if (!not_literal) {
    s->endpoints.emplace_back(literal, port);
    co_return error_code{};
  }
  if (options_.resolve) {
    auto answer = ask(options_.resolve, std::move(host));
    auto on_answer = [s, port](std::exception_ptr failure, const std::vector<std::string>& addresses) {
      s->resolved(failure ? to_code(failure) : error_code(), parse_addresses(addresses, port));
    };
    asio::co_spawn(s->wake.get_executor(), std::move(answer),
                   asio::bind_cancellation_slot(s->cancel_asking.slot(), std::move(on_answer)));
  } else {
    s->resolver.async_resolve(host, std::to_string(port), [s](error_code ec, const tcp::resolver::results_type& found) {
      std::vector<tcp::endpoint> endpoints;
      for (const auto& entry : found) endpoints.push_back(entry.endpoint());
      s->resolved(ec, std::move(endpoints));
    });
  }
  while (!s->answered && !s->aborted) {
    s->wake.expires_at(asio::steady_timer::time_point::max());
    co_await s->wake.async_wait(nothrow);
  }
  co_return s->error;
}

void dialer::abort(error_code reason) noexcept { state_->give_up(reason); }

asio::ip::tcp::socket dialer::take() noexcept { return std::move(state_->winner); }

std::string dialer::failure_text() const { return state_->endpoints.size() > 1 ? state_->text : std::string(); }

}  // namespace compass_fabric::client
