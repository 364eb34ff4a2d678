// SPDX-License-Identifier: Apache-2.0
#include "proto/server_info.hpp"

#include "proto/utf8.hpp"

#include <simdjson.h>

#include <array>
#include <charconv>
#include <utility>

namespace compass_fabric {

bool server_info::version_at_least(int major, int minor, int patch) const noexcept {
  std::array<int, 3> have{};
  const char* at = version.data();
  const char* const end = at + version.size();
  for (std::size_t i = 0; i != have.size(); ++i) {
    if (i != 0) {
      if (at == end || *at != '.') return false;
      ++at;
    }
    const auto [next, error] = std::from_chars(at, end, have[i]);
    if (error != std::errc() || have[i] < 0) return false;
    at = next;
  }
  return have >= std::array<int, 3>{major, minor, patch};
}

}  // namespace compass_fabric

namespace compass_fabric::proto {

namespace {

namespace dom = simdjson::dom;

template <class T>
using member_of = std::pair<std::string_view, T server_info::*>;

constexpr member_of<std::string> text_members[] = {
    {"server_id", &server_info::server_id},
    {"server_name", &server_info::server_name},
    {"version", &server_info::version},
    {"git_commit", &server_info::git_commit},
    {"go", &server_info::go},
    {"host", &server_info::host},
    {"client_ip", &server_info::client_ip},
    {"nonce", &server_info::nonce},
    {"cluster", &server_info::cluster},
    {"domain", &server_info::domain},
    {"xkey", &server_info::xkey},
    {"remote_account", &server_info::remote_account},
};

constexpr member_of<bool> flag_members[] = {
    {"headers", &server_info::headers},
    {"auth_required", &server_info::auth_required},
    {"tls_required", &server_info::tls_required},
    {"tls_verify", &server_info::tls_verify},
    {"tls_available", &server_info::tls_available},
    {"jetstream", &server_info::jetstream},
    {"cluster_dynamic", &server_info::cluster_dynamic},
    {"ldm", &server_info::lame_duck},
    {"connect_info", &server_info::connect_info},
    {"acc_is_sys", &server_info::is_system_account},
};

constexpr member_of<std::int64_t> number_members[] = {
    {"proto", &server_info::proto},
    {"port", &server_info::port},
    {"max_payload", &server_info::max_payload},
    {"api_lvl", &server_info::api_level},
};

constexpr member_of<std::vector<std::string>> list_members[] = {
    {"connect_urls", &server_info::connect_urls},
    {"ws_connect_urls", &server_info::ws_connect_urls},
};

/// Stores the value of `key` unless it is missing or has another type.
template <class Wire, class T>
void read(const dom::object& object, std::string_view key, T& target) {
  Wire value{};
  if (object[key].get(value) == simdjson::SUCCESS) target = T(value);
}

void read_list(const dom::object& object, std::string_view key, std::vector<std::string>& target) {
  dom::array list;
  if (object[key].get(list) != simdjson::SUCCESS) return;
  for (const dom::element entry : list) {
    std::string_view text;
    if (entry.get(text) == simdjson::SUCCESS) target.emplace_back(text);
  }
}

server_info read_info(const dom::object& object) {
  server_info info;
  for (const auto& [key, member] : text_members) read<std::string_view>(object, key, info.*member);
  for (const auto& [key, member] : flag_members) read<bool>(object, key, info.*member);
  for (const auto& [key, member] : number_members) read<std::int64_t>(object, key, info.*member);
  for (const auto& [key, member] : list_members) read_list(object, key, info.*member);
  read<std::uint64_t>(object, "client_id", info.client_id);
  return info;
}

}  // namespace

std::optional<server_info> parse_server_info(std::string_view json) {
  dom::parser parser;
  dom::element root;
  auto error = parser.parse(json.data(), json.size()).get(root);
  if (error == simdjson::UTF8_ERROR) {
    const auto repaired = to_valid_utf8(json);
    error = parser.parse(repaired).get(root);
  }
  dom::object object;
  if (error != simdjson::SUCCESS || root.get(object) != simdjson::SUCCESS) return std::nullopt;
  return read_info(object);
}

}  // namespace compass_fabric::proto
