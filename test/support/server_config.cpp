// SPDX-License-Identifier: Apache-2.0
#include "support/server_config.hpp"

#include <sstream>

namespace compass_fabric::testing {
namespace {

void write_authorization(std::ostream& out, const nats_server_options& options) {
  if (!options.token.empty()) out << "authorization { token: \"" << options.token << "\" }\n";
  if (!options.user.empty()) {
    out << "authorization { user: \"" << options.user << "\", password: \"" << options.password << "\" }\n";
  }
}

void write_tls(std::ostream& out, const server_tls& tls) {
  if (tls.cert.empty()) return;
  out << "tls { cert_file: " << tls.cert << ", key_file: " << tls.key;
  if (!tls.client_ca.empty()) out << ", ca_file: " << tls.client_ca << ", verify: true";
  if (!tls.extra.empty()) out << ", " << tls.extra;
  out << " }\n";
}

void write_cluster(std::ostream& out, const cluster_node& node) {
  if (node.cluster_name.empty()) return;
  out << "cluster {\n  name: \"" << node.cluster_name << "\"\n  listen: \"127.0.0.1:" << node.route_port
      << "\"\n  routes: [";
  for (const auto port : node.routes) out << " \"nats://127.0.0.1:" << port << "\",";
  out << " ]\n}\n";
}

}  // namespace

std::string server_config(const nats_server_options& options, const server_places& places) {
  std::ostringstream out;
  out << "server_name: \"" << options.name << "\"\n"
      << "listen: \"127.0.0.1:" << places.client_port << "\"\n"
      << "http: \"127.0.0.1:" << places.http_port << "\"\n"
      << "logfile: " << places.log_file << "\n";
  if (options.jetstream) {
    out << "jetstream {\n  store_dir: " << places.store_dir
        << "\n  max_memory_store: 256MB\n  max_file_store: 8GB\n  sync_interval: 100ms\n}\n";
  }
  if (options.max_payload != 0) out << "max_payload: " << options.max_payload << "\n";
  write_authorization(out, options);
  write_tls(out, options.tls);
  write_cluster(out, options.cluster);
  out << options.extra_config << "\n";
  return out.str();
}

}  // namespace compass_fabric::testing
