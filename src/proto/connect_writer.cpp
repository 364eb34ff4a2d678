// SPDX-License-Identifier: Apache-2.0
#include "proto/connect_writer.hpp"

#include "proto/json_writer.hpp"

#include <string_view>

namespace compass_fabric::proto {

namespace {

/// The client's own mark in the server's monitoring.
constexpr std::string_view language = "c++-compass_fabric";

void optional_member(json_writer& json, std::string_view key, std::string_view text) {
  if (!text.empty()) json.member(key, text);
}

/// The most bytes the command can take: each byte escaped.
std::size_t bound(const connect_fields& f) noexcept {
  const std::size_t texts = f.name.size() + f.version.size() + f.user.size() + f.pass.size() + f.auth_token.size() +
                            f.nkey.size() + f.sig.size() + f.jwt.size();
  return 512 + 6 * texts;
}

}  // namespace

void append_connect(std::string& out, const connect_fields& fields) {
  out.reserve(out.size() + bound(fields));
  out += "CONNECT ";
  json_writer json(out);
  json.begin_object();
  json.member("verbose", fields.verbose);
  json.member("pedantic", fields.pedantic);
  json.member("echo", fields.echo);
  json.member("tls_required", fields.tls_required);
  json.member("headers", fields.headers);
  json.member("no_responders", fields.no_responders);
  json.member("protocol", fields.protocol);
  json.member("lang", language);
  optional_member(json, "version", fields.version);
  optional_member(json, "name", fields.name);
  optional_member(json, "user", fields.user);
  optional_member(json, "pass", fields.pass.view());
  optional_member(json, "auth_token", fields.auth_token.view());
  optional_member(json, "nkey", fields.nkey);
  optional_member(json, "sig", fields.sig);
  optional_member(json, "jwt", fields.jwt.view());
  json.end_object();
  out += "\r\n";
}

}  // namespace compass_fabric::proto
