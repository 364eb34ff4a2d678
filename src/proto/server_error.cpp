// SPDX-License-Identifier: Apache-2.0
#include "proto/server_error.hpp"

#include "proto/go_quote.hpp"
#include "proto/header_block.hpp"

namespace compass_fabric::proto {

namespace {

using kind = server_error_kind;

struct known_error {
  std::string_view text;
  errc code;
  server_error_kind kind;
};

/// Compared as prefixes, for some texts are followed by a detail.
constexpr known_error known_errors[] = {
    {"unknown protocol operation", errc::protocol_error, kind::closes},
    {"maximum control line exceeded", errc::protocol_error, kind::closes},
    {"maximum payload violation", errc::max_payload_exceeded, kind::closes},
    {"stale connection", errc::stale_connection, kind::closes},
    {"maximum connections exceeded", errc::max_connections_exceeded, kind::closes},
    {"maximum account active connections exceeded", errc::max_connections_exceeded, kind::closes},
    {"connection throttling is active", errc::max_connections_exceeded, kind::closes},
    {"authentication timeout", errc::authentication_timeout, kind::closes},
    {"authorization violation", errc::authorization_violation, kind::auth},
    {"user authentication expired", errc::authentication_expired, kind::auth},
    {"user authentication revoked", errc::authentication_expired, kind::auth},
    {"account authentication expired", errc::authentication_expired, kind::auth},
    {"invalid client protocol", errc::protocol_error, kind::closes},
    {"no responders requires headers support", errc::headers_not_supported, kind::closes},
    {"secure connection - tls required", errc::tls_required, kind::closes},
    {"attempted to connect to ", errc::protocol_error, kind::closes},
    {"maximum subscriptions exceeded", errc::max_subscriptions_exceeded, kind::transient},
    {"invalid subject", errc::invalid_subject, kind::transient},
    {"invalid publish subject", errc::invalid_subject, kind::transient},
};

struct refusal {
  std::string_view text;
  refused_operation operation;
};

/// The quoted subject follows directly.
constexpr refusal refusals[] = {
    {"permissions violation for publish to ", refused_operation::publish},
    {"permissions violation for publish with reply of ", refused_operation::publish_reply},
    {"permissions violation for subscription to ", refused_operation::subscription},
};

bool starts_with_ignore_case(std::string_view text, std::string_view prefix) noexcept {
  return equal_ignore_case(text.substr(0, prefix.size()), prefix);
}

std::string_view strip_quotes(std::string_view text) noexcept {
  text = trim_blanks(text);
  if (text.starts_with('\'')) text.remove_prefix(1);
  if (text.ends_with('\'')) text.remove_suffix(1);
  return text;
}

/// The quoted text behind `mark`, if there is one; takes both off the front of `rest`.
std::optional<std::string> quoted_behind(std::string_view& rest, std::string_view mark) {
  const auto found = rest.find(mark);
  if (found == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(found + mark.size() - 1);
  return take_quoted(rest);
}

/// Reads what follows the refused subject only, for the subject itself may contain anything.
void read_refusal(server_error& error, std::string_view rest) {
  if (!rest.starts_with('"')) return;
  error.subject = take_quoted(rest);
  if (error.operation != refused_operation::subscription) return;
  error.queue = quoted_behind(rest, "using queue \"").value_or("");
  error.sid = quoted_behind(rest, "(sid \"");
}

}  // namespace

server_error classify_server_error(std::string_view text) {
  const auto message = strip_quotes(text);
  server_error error;
  error.text = message;
  for (const auto& known : known_errors) {
    if (!starts_with_ignore_case(message, known.text)) continue;
    error.code = known.code;
    error.kind = known.kind;
    return error;
  }
  if (!starts_with_ignore_case(message, "permissions violation")) return error;
  error.code = errc::permission_violation;
  error.kind = kind::permission;
  for (const auto& refused : refusals) {
    if (!starts_with_ignore_case(message, refused.text)) continue;
    error.operation = refused.operation;
    read_refusal(error, message.substr(refused.text.size()));
  }
  return error;
}

}  // namespace compass_fabric::proto
