// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/connection_event.hpp>

#include <fmt/format.h>

namespace compass_fabric {

const char* to_string(event_kind kind) noexcept {
  switch (kind) {
    case event_kind::connected: return "connected";
    case event_kind::disconnected: return "disconnected";
    case event_kind::connect_failed: return "connect failed";
    case event_kind::reconnected: return "reconnected";
    case event_kind::closed: return "closed";
    case event_kind::lame_duck: return "lame duck";
    case event_kind::servers_discovered: return "servers discovered";
    case event_kind::server_error: return "server error";
    case event_kind::permission_denied: return "permission denied";
    case event_kind::slow_consumer: return "slow consumer";
    case event_kind::publish_dropped: return "publish dropped";
    case event_kind::info_changed: return "server info changed";
    case event_kind::insecure_tls: return "TLS without a check of the certificate";
  }
  return "unknown event";
}

std::string to_string(const connection_event& e) {
  std::string line = to_string(e.kind);
  if (!e.server.empty()) line += fmt::format(" {}", e.server);
  if (!e.subject.empty()) line += fmt::format(" on {:?}", e.subject);
  if (e.count != 0) line += fmt::format(" ({})", e.count);
  if (e.error) line += fmt::format(": {}", e.error.message());
  if (!e.text.empty()) line += fmt::format(": {:?}", e.text);
  return line;
}

}  // namespace compass_fabric
