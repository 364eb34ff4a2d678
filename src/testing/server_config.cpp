// SPDX-License-Identifier: Apache-2.0
#include "testing/server_config.hpp"

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

// A container takes connections on whichever interface it is given later.
std::string listen_address(const nats_server_options& options) { return options.network ? "0.0.0.0" : options.address; }

void write_cluster(std::ostream& out, const nats_server_options& options) {
  const auto& node = options.cluster;
  if (node.cluster_name.empty()) return;
  out << "cluster {\n  name: \"" << node.cluster_name << "\"\n  listen: \"" << listen_address(options) << ":"
      << node.route_port << "\"\n  routes: [";
  for (const auto& route : node.routes) out << " \"nats://" << route << "\",";
  out << " ]\n}\n";
}

}  // namespace

std::string server_config(const nats_server_options& options, const server_places& places) {
  std::ostringstream out;
  out << "server_name: \"" << options.name << "\"\n"
      << "listen: \"" << listen_address(options) << ":" << places.client_port << "\"\n"
      << "http: \"" << listen_address(options) << ":" << places.http_port << "\"\n"
      << "logfile: " << places.log_file << "\n";
  if (options.jetstream) {
    out << "jetstream {\n  store_dir: " << places.store_dir
        << "\n  max_memory_store: 256MB\n  max_file_store: 8GB\n  sync_interval: 100ms\n}\n";
  }
  if (options.max_payload != 0) out << "max_payload: " << options.max_payload << "\n";
  write_authorization(out, options);
  write_tls(out, options.tls);
  write_cluster(out, options);
  out << options.extra_config << "\n";
  return out.str();
}

}  // namespace compass_fabric::testing
