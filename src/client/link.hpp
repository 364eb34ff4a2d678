// SPDX-License-Identifier: Apache-2.0
// One TCP (or other) link to one server, from INFO to its loss. It dies whole: nothing of it touches the next link.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/steady_timer.hpp>

#include "client/connector.hpp"
#include "client/scheduler.hpp"
#include "proto/connect_writer.hpp"
#include "proto/flat_buffer.hpp"
#include "proto/keep_alive.hpp"
#include "proto/parser.hpp"
#include "proto/session.hpp"

namespace compass_fabric::client {

class connection_core;

/// Driven by the connection's run loop: `handshake`, then `read`. Its writes are finished by handlers that hold it
/// alive.
class link : public std::enable_shared_from_this<link> {
 public:
  link(connection_core& core, link_stream made, proto::connect_fields login);

  /// Until the server has accepted the login and confirmed the subscriptions. Returns why it failed, if it did.
  asio::awaitable<error_code> handshake();
  /// Passes on what arrives until the link is lost; returns why.
  asio::awaitable<error_code> read();

  /// Hands the outbox to the transport. Does nothing before the link is ready.
  void flush();
  /// Sends a PING; it is answered once `pongs()` reaches the returned number.
  std::uint64_t send_ping();
  std::uint64_t pongs() const noexcept { return session_.pongs(); }
  bool ready() const noexcept { return ready_; }
  /// True when a new subscription must be sent by itself, the restoring burst having gone out.
  bool restored() const noexcept { return session_.restored(); }
  const proto::session& conversation() const noexcept { return session_; }
  /// True once all that is exchanged is encrypted.
  bool secured() const noexcept { return secured_; }
  /// Text that goes with the reason of the end, if the server, the parser or the transport gave one.
  std::string failure_text() const {
    if (session_.failure() != errc{}) return session_.error().text;
    const bool closed_by_us = reason_ && reason_.category() == nats_category();
    return closed_by_us ? std::string() : transport_->failure_text();
  }

  /// Ends the link for `reason` once the server has confirmed everything handed over so far; nothing more is sent. At
  /// the latest after `connect_timeout`.
  void leave(error_code reason);

  /// No subscription asks for silence any more: what was received and not parsed is passed on, and reading goes on.
  void resume_reading() noexcept;

  /// Ends the link for `reason`; the pending read returns it. The first reason stays.
  void close(error_code reason) noexcept;

 private:
  asio::awaitable<error_code> read_once();
  asio::awaitable<error_code> upgrade();
  asio::awaitable<void> reading_resumed();
  asio::awaitable<error_code> write_replies();
  void parse();
  bool act(const proto::frame& f, proto::session::step step);
  asio::awaitable<error_code> log_in();
  void on_greeting();
  void send_connect();
  void become_ready();
  void owe_pong();
  void on_ping_interval();
  void wait_for_writable(std::string_view bytes);
  void on_written(io_result result);
  error_code reason_for(error_code io_error);

  connection_core& core_;
  std::unique_ptr<transport> transport_;
  std::string tls_host_;
  proto::connect_fields login_;
  proto::session session_;
  proto::parser parser_;
  proto::flat_buffer in_;
  proto::flat_buffer replies_;  // what the handshake has to send: always before the outbox
  proto::keep_alive keep_alive_;
  alarm ping_alarm_;
  alarm write_alarm_;
  alarm leave_alarm_;
  // Its cancellation is the signal to go on. A timer and no waiter: the context that is destroyed takes it along.
  std::optional<asio::steady_timer> reading_pause_;
  std::size_t read_size_;
  std::size_t received_ = 0;    // since parsing last began
  std::size_t owed_pongs_ = 0;  // to go out with the next write
  error_code reason_;
  error_code leaving_;
  std::uint64_t last_ping_ = 0;  // the one that ends a link that is left
  bool secured_;
  bool greeted_ = false;  // INFO came, CONNECT is due
  bool ready_ = false;
  bool writing_ = false;
  bool closed_ = false;
  bool held_back_ = false;  // parsing stopped at a subscription's wish: more may be received already
};

}  // namespace compass_fabric::client
