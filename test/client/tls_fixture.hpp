// SPDX-License-Identifier: Apache-2.0
// What the tests of TLS need: an authority, the files of a server and the options of a client that trusts it.
#pragma once

#include <filesystem>
#include <string>

#include <compass_fabric/testing/temp_dir.hpp>
#include <compass_fabric/testing/test_authority.hpp>
#include "fixture.hpp"

namespace compass_fabric::testing {

/// An authority and a directory for what it issues.
class tls_files {
 public:
  /// A server certificate for `localhost` and 127.0.0.1, and the authority's own as `ca.pem`.
  tls_files() {
    put("ca.pem", ca_.pem());
    serve(localhost());
  }

  static certificate_request localhost() { return {.names = {"localhost"}, .addresses = {"127.0.0.1"}}; }

  const test_authority& ca() const { return ca_; }
  std::filesystem::path file(const std::string& name) const { return dir_.path() / name; }
  std::filesystem::path put(const std::string& name, const std::string& text) const {
    write_file(file(name), text);
    return file(name);
  }
  /// Replaces the server's certificate.
  void serve(const certificate_request& request) const { serve(ca_.issue(request)); }
  void serve(const issued_certificate& issued) const {
    put("server.pem", issued.certificate);
    put("server.key", issued.key);
  }

  /// A server with TLS; `extra` are further members of its tls block. JetStream is off: these servers start quickly.
  nats_server_options server(const std::string& extra = {}) const {
    nats_server_options o;
    o.jetstream = false;
    o.tls.cert = file("server.pem");
    o.tls.key = file("server.key");
    o.tls.extra = extra;
    return o;
  }
  /// As `server`, and clients must show a certificate of the authority.
  nats_server_options mutual() const {
    auto o = server();
    o.tls.client_ca = file("ca.pem");
    return o;
  }

 private:
  test_authority ca_{"compass_fabric test CA"};
  temp_dir dir_;
};

inline std::string tls_url(std::uint16_t port, const std::string& host = "localhost") {
  return "tls://" + host + ":" + std::to_string(port);
}

/// Options for a server of `files` by name.
inline connect_options tls_options_for(std::uint16_t port, const tls_files& files) {
  auto o = options_for(tls_url(port));
  o.tls.ca.text = files.ca().pem();
  return o;
}

/// Connects once and reads a message of its own.
inline asio::awaitable<void> connect_and_echo(connect_options options) {
  connection nc = co_await connect(options);
  auto sub = nc.subscribe("echo");
  co_await nc.publish("echo", "hello");
  const auto m = co_await sub.next(5s);
  REQUIRE(m.payload() == "hello");
}

/// The outcome of an attempt that must fail: its code, and what the event said about it.
struct failed_connect {
  error_code code;
  std::string text;
};

inline asio::awaitable<failed_connect> refused_connect(connect_options options) {
  event_log events;
  options.on_event = events.handler();
  failed_connect result;
  result.code = co_await code_of(connect(options));
  const bool told = co_await eventually([&] { return events.has(event_kind::connect_failed); });
  if (told) result.text = events.last(event_kind::connect_failed).text;
  co_return result;
}

}  // namespace compass_fabric::testing
