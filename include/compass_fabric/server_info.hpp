// SPDX-License-Identifier: Apache-2.0
// What a server tells about itself in its INFO message.
//
//   if (nc.info().headers) ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace compass_fabric {

/// The fields of the last INFO. A field the server did not send, or sent as null or with another type, has its default.
struct server_info {
  /// Public nkey of the server (`N...`), usually new at each start.
  std::string server_id;
  /// Configured name, or the id.
  std::string server_name;
  /// Version text such as `2.10.4`, possibly with a suffix. Use `api_level` to decide about JetStream features.
  std::string version;
  /// Protocol level; `echo` is understood from 1 on.
  std::int64_t proto = 0;
  std::string git_commit;
  /// Version of the compiler the server was built with.
  std::string go;
  /// Listen address as configured; may be a wildcard address, so never an address to connect to.
  std::string host;
  std::int64_t port = 0;
  /// Messages may carry headers.
  bool headers = false;
  bool auth_required = false;
  /// The connection must be upgraded to TLS.
  bool tls_required = false;
  /// The server asks for a client certificate.
  bool tls_verify = false;
  /// The connection may be upgraded to TLS.
  bool tls_available = false;
  /// Most bytes of header block and payload in one message; 0 = not told. Each INFO may change it.
  std::int64_t max_payload = 0;
  /// This very server runs JetStream; false does not mean that JetStream cannot be reached.
  bool jetstream = false;
  /// Number of this connection at the server.
  std::uint64_t client_id = 0;
  /// This client's address as the server sees it; may be absent in the first INFO.
  std::string client_ip;
  /// Text to sign when logging in with a key; new for each connection.
  std::string nonce;
  std::string cluster;
  bool cluster_dynamic = false;
  /// JetStream domain of this server.
  std::string domain;
  /// Addresses of the cluster's servers as `host:port`, in no particular order; WebSocket addresses on a WebSocket
  /// connection.
  std::vector<std::string> connect_urls;
  /// WebSocket addresses; servers clear it before sending to clients.
  std::vector<std::string> ws_connect_urls;
  /// The server is about to shut down and sends its clients away.
  bool lame_duck = false;
  /// Public curve key for authorization services.
  std::string xkey;
  /// JetStream API level; 0 for servers older than 2.12.
  std::int64_t api_level = 0;
  /// This INFO answers CONNECT (2.12 and later).
  bool connect_info = false;
  /// Account the connection is bound to (2.12 and later).
  std::string remote_account;
  /// Bound to the system account (2.12 and later).
  bool is_system_account = false;

  /// True when `version` is at least this one; a suffix such as `-RC.2` does not count. False for a version that is no
  /// version.
  bool version_at_least(int major, int minor = 0, int patch = 0) const noexcept;

  friend bool operator==(const server_info&, const server_info&) = default;
};

}  // namespace compass_fabric
