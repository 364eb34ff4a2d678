// SPDX-License-Identifier: Apache-2.0
#include "context.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace fabricctl {
namespace {

namespace fs = std::filesystem;

struct context_member {
  std::string_view key;
  std::string common_options::* target;
};

constexpr std::array context_members{
    context_member{"url", &common_options::server},
    context_member{"user", &common_options::user},
    context_member{"password", &common_options::password},
    context_member{"token", &common_options::token},
    context_member{"creds", &common_options::creds},
    context_member{"nkey", &common_options::nkey},
    context_member{"user_jwt", &common_options::user_jwt},
    context_member{"user_seed", &common_options::user_seed},
    context_member{"inbox_prefix", &common_options::inbox_prefix},
    context_member{"ca", &common_options::ca},
    context_member{"cert", &common_options::cert},
    context_member{"key", &common_options::key},
    context_member{"socks_proxy", &common_options::proxy},
};

/// Ignored, they would lead to another JetStream, or to none.
constexpr std::array unsupported{std::string_view("nsc"), std::string_view("jetstream_domain"),
                                 std::string_view("jetstream_api_prefix")};

constexpr std::array logins{&common_options::user,     &common_options::password, &common_options::token,
                            &common_options::creds,    &common_options::nkey,     &common_options::user_jwt,
                            &common_options::user_seed};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

fs::path config_home() {
  const auto configured = environment("XDG_CONFIG_HOME");
  return configured.empty() ? fs::path(environment("HOME")) / ".config" : fs::path(configured);
}

[[noreturn]] void fail(const fs::path& file, const std::string& why) {
  throw std::runtime_error("context " + file.string() + ": " + why);
}

std::string selected_context() {
  std::ifstream file(config_home() / "nats" / "context.txt");
  std::string name;
  file >> name;
  return name;
}

std::string expand_home(const std::string& path) {
  return path.starts_with("~/") ? environment("HOME") + path.substr(1) : path;
}

bool names_a_login(const common_options& o) {
  return !o.user.empty() || !o.token.empty() || !o.creds.empty() || !o.nkey.empty();
}

void read_context(common_options& options, const std::string& name) {
  if (name.find('/') != name.npos || name.front() == '.') throw std::runtime_error("context " + name + ": not a name");
  const auto file = config_home() / "nats" / "context" / (name + ".json");
  simdjson::dom::parser parser;
  simdjson::padded_string text;
  if (simdjson::padded_string::load(file.string()).get(text) != simdjson::SUCCESS) fail(file, "cannot be read");
  simdjson::dom::object object;
  if (parser.parse(text).get(object) != simdjson::SUCCESS) fail(file, "is not a JSON object");
  std::string_view value;
  for (const auto key : unsupported)
    if (object[key].get(value) == simdjson::SUCCESS && !value.empty())
      fail(file, std::string(key) + " is not supported");
  const bool own_login = names_a_login(options);
  for (const auto& [key, target] : context_members) {
    const bool login = std::find(logins.begin(), logins.end(), target) != logins.end();
    if (!(options.*target).empty() || (login && own_login)) continue;
    if (object[key].get(value) == simdjson::SUCCESS) options.*target = value;
  }
  bool first = false;
  if (object["tls_first"].get(first) == simdjson::SUCCESS && first) options.tls_first = true;
}

}  // namespace

void apply_context(common_options& options) {
  auto name = options.context;
  if (name.empty() && options.server.empty()) name = selected_context();
  if (!name.empty()) read_context(options, name);
  for (const auto file : {&common_options::creds, &common_options::nkey, &common_options::ca, &common_options::cert,
                          &common_options::key}) {
    options.*file = expand_home(options.*file);
  }
  if (options.server.empty()) options.server = "nats://127.0.0.1:4222";
}

}  // namespace fabricctl
