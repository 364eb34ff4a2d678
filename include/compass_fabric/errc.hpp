// SPDX-License-Identifier: Apache-2.0
// The client's error conditions as a plain enum, usable without Boost. `error.hpp` makes error codes of them.
#pragma once

namespace compass_fabric {

/// What can go wrong between a caller and the server. Values are stable; new ones are added at the end.
enum class errc {
  /// A subject, reply or filter breaks the grammar: blank, control byte, empty token, misplaced wildcard.
  invalid_subject = 1,
  /// A queue name is empty or holds a blank or control byte.
  invalid_queue_name,
  /// A header name or value cannot be written without changing the protocol (CR, LF, NUL, colon in a name).
  invalid_header,
  /// An option has a value outside its documented range.
  invalid_option,
  /// A server address cannot be understood.
  invalid_url,
  /// Header and payload together are larger than the server's `max_payload`.
  max_payload_exceeded,
  /// The outbound buffer is at its limit; only `try_publish` and a disconnected connection report this.
  outbox_full,
  /// The server does not support message headers.
  headers_not_supported,
  /// The operation's deadline passed.
  timeout,
  /// Nobody is subscribed to the requested subject (inline status 503).
  no_responders,
  /// The link was lost while the operation waited; it may or may not have been carried out.
  connection_lost,
  /// The connection is closed for good, or was closed while the operation waited.
  connection_closed,
  /// The connection is draining and takes no new work.
  draining,
  /// The subscription has ended: unsubscribed, limit reached, or refused by the server.
  subscription_closed,
  /// Every server of the pool was tried without success.
  no_servers,
  /// The peer's bytes are not the protocol.
  protocol_error,
  /// Too many pings went unanswered, or nothing was received for too long.
  stale_connection,
  /// A write did not finish within the write deadline.
  write_timeout,
  /// The server refused the credentials.
  authorization_violation,
  /// The credentials expired or were revoked while connected.
  authentication_expired,
  /// The server closed the handshake because it took too long.
  authentication_timeout,
  /// The server refused a publish or a subscription.
  permission_violation,
  /// The server's connection limit is reached.
  max_connections_exceeded,
  /// The server's limit of subscriptions is reached.
  max_subscriptions_exceeded,
  /// TLS is wanted and the server has none, or the server wants TLS and this client was told not to.
  tls_required,
  /// The server reported an error this client does not know; the text is in the event.
  server_error,
  /// The credentials cannot be used: an unreadable file, a damaged seed, a callback that failed, or a server that does
  /// not ask for the signature they need.
  invalid_credentials,
  /// The link was given up because `reconnect()` was called.
  reconnect_requested,
  /// The link was left because its server is shutting down.
  server_shutting_down,
  /// The configured certificates, key or ciphers cannot be used; nothing was sent.
  tls_setup_failed,
  /// The TLS handshake failed, or the peer ended TLS with an alert; the text is OpenSSL's.
  tls_failed,
  /// The server's certificate was refused: chain, dates, name, or the user's own check.
  certificate_refused,
  /// The server did not answer the WebSocket upgrade as it should, or closed the WebSocket with an error.
  websocket_failed,
  /// The proxy refused to reach the server, or did not speak its protocol.
  proxy_failed,
  /// A message that expects no answer cannot be responded to.
  no_reply_subject,
};

/// A short lower-case text for `e`, static storage.
constexpr const char* to_string(errc e) noexcept {
  switch (e) {
    case errc::invalid_subject: return "invalid subject";
    case errc::invalid_queue_name: return "invalid queue name";
    case errc::invalid_header: return "invalid header";
    case errc::invalid_option: return "invalid option";
    case errc::invalid_url: return "invalid server address";
    case errc::max_payload_exceeded: return "message larger than the server's max_payload";
    case errc::outbox_full: return "outbound buffer full";
    case errc::headers_not_supported: return "the server does not support headers";
    case errc::timeout: return "timed out";
    case errc::no_responders: return "no responders";
    case errc::connection_lost: return "connection lost";
    case errc::connection_closed: return "connection closed";
    case errc::draining: return "connection is draining";
    case errc::subscription_closed: return "subscription closed";
    case errc::no_servers: return "no server could be reached";
    case errc::protocol_error: return "protocol error";
    case errc::stale_connection: return "stale connection";
    case errc::write_timeout: return "write timed out";
    case errc::authorization_violation: return "authorization violation";
    case errc::authentication_expired: return "authentication expired";
    case errc::authentication_timeout: return "authentication timeout";
    case errc::permission_violation: return "permission violation";
    case errc::max_connections_exceeded: return "maximum connections exceeded";
    case errc::max_subscriptions_exceeded: return "maximum subscriptions exceeded";
    case errc::tls_required: return "TLS required";
    case errc::server_error: return "server error";
    case errc::invalid_credentials: return "invalid credentials";
    case errc::reconnect_requested: return "reconnect requested";
    case errc::server_shutting_down: return "the server is shutting down";
    case errc::tls_setup_failed: return "TLS cannot be set up";
    case errc::tls_failed: return "TLS failed";
    case errc::certificate_refused: return "server certificate refused";
    case errc::websocket_failed: return "WebSocket failed";
    case errc::proxy_failed: return "proxy failed";
    case errc::no_reply_subject: return "the message has no reply subject";
  }
  return "unknown error";
}

}  // namespace compass_fabric
