// SPDX-License-Identifier: Apache-2.0
// What the text of an -ERR message means.
//
//   auto e = classify_server_error("'Permissions Violation for Publish to \"a.b\"'");
//   // e.kind == permission, e.operation == publish, e.subject == "a.b"
#pragma once

#include <compass_fabric/errc.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// What an error means for the connection.
enum class server_error_kind : std::uint8_t {
  /// The connection goes on; also any unknown text, for a server that hangs up is noticed anyway.
  transient,
  /// The server closes the connection.
  closes,
  /// The server closes the connection over its credentials; the same answer twice will not get better by itself.
  auth,
  /// One publish or subscription was refused; the connection goes on.
  permission,
};

/// What a permission error refused.
enum class refused_operation : std::uint8_t { none, publish, publish_reply, subscription };

/// One classified -ERR.
struct server_error {
  errc code = errc::server_error;
  server_error_kind kind = server_error_kind::transient;
  refused_operation operation = refused_operation::none;
  /// Of a permission error: the subject, filter or (for `publish_reply`) reply as the client sent it.
  std::string subject;
  /// Of a refused queue subscription.
  std::string queue;
  /// Of a subscription ended by a change of permissions.
  std::optional<std::string> sid;
  /// The message without its quotes; any bytes.
  std::string text;
};

/// Classifies the argument of -ERR, with or without its quotes, in any case. Any bytes may be given.
server_error classify_server_error(std::string_view text);

}  // namespace compass_fabric::proto
