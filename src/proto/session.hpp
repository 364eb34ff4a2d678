// SPDX-License-Identifier: Apache-2.0
// One link's conversation with its server: what each frame means in the phase the link is in.
//
//   await_info --INFO--> await_pong --PONG--> restoring --PONG--> ready
//   await_info --INFO--> securing --secured--> await_pong ...
//       any phase --error the server closes for, or a frame out of place--> failed
#pragma once

#include <cstdint>
#include <string>

#include <compass_fabric/errc.hpp>
#include <compass_fabric/server_info.hpp>

#include "proto/parser.hpp"
#include "proto/server_error.hpp"

namespace compass_fabric::proto {

/// What a link wants of TLS when the server introduces itself.
enum class tls_need : std::uint8_t {
  /// Plain text whatever comes; a server that demands TLS cannot be used.
  refused,
  /// An upgrade when the server demands it.
  when_asked,
  /// An upgrade always; a server without TLS cannot be used.
  always,
  /// Nothing: the bytes below are secured already, or secured by other means.
  settled,
};

/// Born with a link and gone with it. Feed every frame and do what the step says, until it is `fail`.
class session {
 public:
  enum class phase : std::uint8_t { await_info, securing, await_pong, restoring, ready, failed };
  enum class step : std::uint8_t {
    /// Nothing to do.
    none,
    /// Upgrade the link to TLS, then call `secured`. Bytes that already came after the INFO were not sent by the server
    /// and must not be read as if it had: report them with `on_early_bytes`.
    secure,
    /// Send CONNECT and a PING: the server has introduced itself.
    send_connect,
    /// Send every subscription and a PING: the server has accepted the credentials.
    restore,
    /// The link may be used: the server knows all subscriptions.
    become_ready,
    /// A message for a subscription.
    deliver,
    /// Send a PONG.
    answer_ping,
    /// A PONG for a flush; `pongs()` counts it.
    pong,
    /// The server described itself anew; `info()` is replaced.
    info_changed,
    /// The server announced its shutdown, once per link.
    lame_duck,
    /// `error()` holds what the server reported; the link goes on.
    report,
    /// The link is useless; `failure()` and `error()` say why.
    fail,
  };

  explicit session(tls_need tls = tls_need::when_asked) noexcept : tls_(tls) {}

  step on_frame(const frame& f);
  /// The parser gave up.
  step on_parse_error(parse_error e);
  /// Bytes came between the INFO and the upgrade to TLS.
  step on_early_bytes();
  /// The upgrade is done.
  step secured() noexcept;
  /// What carries the bytes failed for a reason worth telling; an earlier reason stays.
  step on_transport_error(errc code, std::string text);

  /// A PING was sent. Returns its number: it is answered once `pongs()` has reached it.
  std::uint64_t ping_sent() noexcept { return ++pings_; }
  std::uint64_t pongs() const noexcept { return pongs_; }

  phase current() const noexcept { return phase_; }
  /// True once the subscriptions were sent: later ones must be sent one by one.
  bool restored() const noexcept { return phase_ == phase::restoring || phase_ == phase::ready; }
  const server_info& info() const noexcept { return info_; }
  /// The server has announced its shutdown.
  bool lame_duck() const noexcept { return lame_duck_; }
  const server_error& error() const noexcept { return error_; }
  /// Why it failed, or the last error after which the server closes; 0-valued errc when there was none.
  errc failure() const noexcept { return failure_; }

 private:
  step on_info(const frame& f);
  step introduced();
  step on_pong();
  step on_error(const frame& f);
  step fail(errc code, std::string text);

  tls_need tls_;
  phase phase_ = phase::await_info;
  bool lame_duck_ = false;
  errc failure_{};
  std::uint64_t pings_ = 0;
  std::uint64_t pongs_ = 0;
  server_info info_;
  server_error error_;
};

}  // namespace compass_fabric::proto
