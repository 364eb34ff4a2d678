// SPDX-License-Identifier: Apache-2.0
#include "proto/session.hpp"

#include <utility>

#include "proto/server_info.hpp"

namespace compass_fabric::proto {

session::step session::fail(errc code, std::string text) {
  phase_ = phase::failed;
  failure_ = code;
  error_ = {};
  error_.code = code;
  error_.text = std::move(text);
  return step::fail;
}

session::step session::on_parse_error(parse_error e) { return fail(errc::protocol_error, to_string(e)); }

session::step session::on_early_bytes() { return fail(errc::protocol_error, "bytes between INFO and TLS"); }

session::step session::on_transport_error(errc code, std::string text) {
  if (failure_ != errc{}) return step::fail;
  return fail(code, std::move(text));
}

session::step session::on_frame(const frame& f) {
  if (phase_ == phase::securing) return on_early_bytes();
  switch (f.kind) {
    case frame_kind::msg:
      return restored() ? step::deliver : fail(errc::protocol_error, "message before the handshake was over");
    case frame_kind::ping: return step::answer_ping;
    case frame_kind::pong: return on_pong();
    case frame_kind::info: return on_info(f);
    case frame_kind::err: return on_error(f);
    case frame_kind::ok: return step::none;
  }
  return step::none;
}

session::step session::on_info(const frame& f) {
  auto parsed = parse_server_info(f.text);
  if (!parsed) return fail(errc::protocol_error, "INFO is not a JSON object");
  info_ = std::move(*parsed);
  if (phase_ == phase::await_info) return introduced();
  // The flag comes once and is not repeated by later INFOs.
  if (info_.lame_duck && !std::exchange(lame_duck_, true)) return step::lame_duck;
  return step::info_changed;
}

// The INFO itself is not protected: it can ask for more security, never for less.
session::step session::introduced() {
  const bool offered = info_.tls_required || info_.tls_available;
  if (tls_ == tls_need::refused && info_.tls_required)
    return fail(errc::tls_required, "the server demands TLS, which the options disable");
  if (tls_ == tls_need::always && !offered)
    return fail(errc::tls_required, "the server offers no TLS, which the address or the options demand");
  if (tls_ == tls_need::always || (tls_ == tls_need::when_asked && info_.tls_required)) {
    phase_ = phase::securing;
    return step::secure;
  }
  phase_ = phase::await_pong;
  return step::send_connect;
}

session::step session::secured() noexcept {
  phase_ = phase::await_pong;
  return step::send_connect;
}

session::step session::on_pong() {
  if (pongs_ == pings_) return fail(errc::protocol_error, "PONG without a PING");
  ++pongs_;
  if (phase_ == phase::await_pong) {
    phase_ = phase::restoring;
    return step::restore;
  }
  if (phase_ == phase::restoring && pongs_ == pings_) {
    phase_ = phase::ready;
    return step::become_ready;
  }
  return step::pong;
}

session::step session::on_error(const frame& f) {
  error_ = classify_server_error(f.text);
  const bool handshake = phase_ == phase::await_info || phase_ == phase::await_pong;
  if (handshake && error_.kind != server_error_kind::permission) {
    phase_ = phase::failed;
    failure_ = error_.code;
    return step::fail;
  }
  if (error_.kind == server_error_kind::closes || error_.kind == server_error_kind::auth) failure_ = error_.code;
  return step::report;
}

}  // namespace compass_fabric::proto
