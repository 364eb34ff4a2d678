// SPDX-License-Identifier: Apache-2.0
// From the open stream to a link that is ready: INFO, TLS where it is by upgrade, CONNECT, and the PONG that confirms
// it all.
#include "client/connection_core.hpp"
#include "client/link.hpp"
#include "client/secure.hpp"
#include "client/transport_io.hpp"
#include "proto/serializer.hpp"

namespace compass_fabric::client {

asio::awaitable<error_code> link::handshake() {
  using phase = proto::session::phase;
  while (!ready_) {
    if (const auto ec = co_await read_once()) co_return reason_for(ec);
    parse();
    if (session_.current() == phase::securing) {
      if (const auto ec = co_await upgrade()) co_return reason_for(ec);
    }
    if (greeted_) {
      if (const auto ec = co_await log_in()) co_return reason_for(ec);
      parse();  // what came together with INFO
    }
    if (closed_) co_return reason_for(errc::connection_lost);
    if (const auto ec = co_await write_replies()) {
      // The server's last words, if it had any, say more than a failed write.
      const auto ended = co_await read_once();
      if (!ended) parse();
      co_return reason_for(ended.category() == nats_category() ? ended : ec);
    }
  }
  co_return error_code{};
}

asio::awaitable<error_code> link::log_in() {
  greeted_ = false;
  login_.tls_required = secured_;
  const auto refused = co_await core_.authenticate(session_.info(), login_);
  if (refused) co_return refused;
  if (closed_) co_return error_code(errc::connection_lost);
  send_connect();
  co_return error_code{};
}

asio::awaitable<error_code> link::upgrade() {
  if (!in_.empty()) {
    session_.on_early_bytes();
    co_return error_code(errc::protocol_error);
  }
  std::string text;
  const error_code failure = co_await secure(transport_, core_.options().tls, tls_host_, text);
  if (closed_) co_return error_code(errc::connection_lost);
  if (failure) {
    const bool ours = failure.category() == nats_category();
    session_.on_transport_error(ours ? static_cast<errc>(failure.value()) : errc::tls_failed, std::move(text));
    co_return failure;
  }
  secured_ = true;
  session_.secured();
  on_greeting();
  co_return error_code{};
}

void link::on_greeting() {
  core_.on_info(session_.info());
  greeted_ = true;
}

asio::awaitable<error_code> link::write_replies() {
  while (!replies_.empty()) {
    const std::string_view bytes = replies_.view();
    const io_result result = co_await write_some(*transport_, asio::buffer(bytes.data(), bytes.size()));
    if (result.error) co_return result.error;
    if (closed_) co_return error_code(errc::connection_lost);
    replies_.consume(result.bytes);
  }
  if (!session_.restored()) replies_.wipe();  // CONNECT was among them
  if (ready_) flush();
  co_return error_code{};
}

void link::send_connect() {
  core_.on_info(session_.info());
  login_.headers = login_.no_responders = session_.info().headers;
  std::string command;
  proto::append_connect(command, login_);
  replies_.append(command);
  wipe(command);
  login_ = {};
  proto::append_ping(replies_);
  session_.ping_sent();
}

void link::become_ready() {
  ready_ = true;
  core_.turns().set_deadline(ping_alarm_, proto::deadline_after(scheduler::now(), core_.options().ping_interval));
  core_.on_ready(*this);
}

}  // namespace compass_fabric::client
