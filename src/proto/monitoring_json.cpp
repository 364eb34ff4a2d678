// SPDX-License-Identifier: Apache-2.0
#include "proto/monitoring_json.hpp"

#include <simdjson.h>

namespace compass_fabric::proto {

namespace {

namespace dom = simdjson::dom;
using namespace monitoring;

template <class Wire, class T>
void read_as(const dom::object& from, std::string_view key, T& out) {
  Wire value{};
  if (from[key].get(value) == simdjson::SUCCESS) out = T(value);
}

void read(const dom::object& from, std::string_view key, std::string& out) {
  read_as<std::string_view>(from, key, out);
}
void read(const dom::object& from, std::string_view key, bool& out) { read_as<bool>(from, key, out); }
void read(const dom::object& from, std::string_view key, double& out) { read_as<double>(from, key, out); }
void read(const dom::object& from, std::string_view key, std::int64_t& out) { read_as<std::int64_t>(from, key, out); }
void read(const dom::object& from, std::string_view key, std::uint64_t& out) { read_as<std::uint64_t>(from, key, out); }

template <class T, class M>
struct member {
  std::string_view key;
  M T::* at;
};

template <class T, class M, std::size_t N>
void read_all(const dom::object& from, const member<T, M> (&members)[N], T& out) {
  for (const auto& [key, at] : members) read(from, key, out.*at);
}

using i64 = std::int64_t;

constexpr member<varz, std::string> varz_texts[] = {{"server_id", &varz::server_id},
                                                    {"server_name", &varz::server_name},
                                                    {"version", &varz::version},
                                                    {"uptime", &varz::uptime}};
constexpr member<varz, i64> varz_numbers[] = {{"max_connections", &varz::max_connections},
                                              {"max_payload", &varz::max_payload},
                                              {"connections", &varz::connections},
                                              {"total_connections", &varz::total_connections},
                                              {"routes", &varz::routes},
                                              {"subscriptions", &varz::subscriptions},
                                              {"slow_consumers", &varz::slow_consumers},
                                              {"stale_connections", &varz::stale_connections},
                                              {"in_msgs", &varz::in_msgs},
                                              {"out_msgs", &varz::out_msgs},
                                              {"in_bytes", &varz::in_bytes},
                                              {"out_bytes", &varz::out_bytes},
                                              {"mem", &varz::mem}};
constexpr member<connection_info, std::string> connection_texts[] = {
    {"kind", &connection_info::kind},       {"ip", &connection_info::ip},
    {"name", &connection_info::name},       {"lang", &connection_info::lang},
    {"version", &connection_info::version}, {"account", &connection_info::account},
    {"rtt", &connection_info::rtt},         {"uptime", &connection_info::uptime},
    {"idle", &connection_info::idle},       {"authorized_user", &connection_info::authorized_user}};
constexpr member<connection_info, i64> connection_numbers[] = {{"port", &connection_info::port},
                                                               {"pending_bytes", &connection_info::pending_bytes},
                                                               {"in_msgs", &connection_info::in_msgs},
                                                               {"out_msgs", &connection_info::out_msgs},
                                                               {"in_bytes", &connection_info::in_bytes},
                                                               {"out_bytes", &connection_info::out_bytes},
                                                               {"subscriptions", &connection_info::subscriptions}};
constexpr member<connz, i64> connz_numbers[] = {{"num_connections", &connz::num_connections},
                                                {"total", &connz::total},
                                                {"offset", &connz::offset},
                                                {"limit", &connz::limit}};
constexpr member<jsz, i64> jsz_numbers[] = {{"memory", &jsz::memory},
                                            {"storage", &jsz::storage},
                                            {"reserved_memory", &jsz::reserved_memory},
                                            {"reserved_storage", &jsz::reserved_storage},
                                            {"accounts", &jsz::accounts},
                                            {"ha_assets", &jsz::ha_assets},
                                            {"streams", &jsz::streams},
                                            {"consumers", &jsz::consumers},
                                            {"messages", &jsz::messages},
                                            {"bytes", &jsz::bytes}};
constexpr member<jsz, i64> jsz_limits[] = {
    {"max_memory", &jsz::max_memory}, {"max_storage", &jsz::max_storage}, {"sync_interval", &jsz::sync_interval}};
constexpr member<jsz, i64> jsz_api[] = {{"total", &jsz::api_total}, {"errors", &jsz::api_errors}};

// The object behind a key; nothing when there is none.
std::optional<dom::object> inner(const dom::object& from, std::string_view key) {
  dom::object found;
  if (from[key].get(found) != simdjson::SUCCESS) return std::nullopt;
  return found;
}

connection_info read_connection(const dom::object& from) {
  connection_info out;
  read(from, "cid", out.cid);
  read_all(from, connection_texts, out);
  read_all(from, connection_numbers, out);
  dom::array list;
  if (from["subscriptions_list"].get(list) != simdjson::SUCCESS) return out;
  for (const dom::element entry : list) {
    std::string_view subject;
    if (entry.get(subject) == simdjson::SUCCESS) out.subscriptions_list.emplace_back(subject);
  }
  return out;
}

void fill(const dom::object& from, varz& out) {
  read_all(from, varz_texts, out);
  read_all(from, varz_numbers, out);
  read(from, "cpu", out.cpu);
  if (const auto cluster = inner(from, "cluster")) read(*cluster, "name", out.cluster);
  const auto jetstream = inner(from, "jetstream");
  if (!jetstream) return;
  const auto config = inner(*jetstream, "config");
  if (!config) return;
  read(*config, "sync_interval", out.sync_interval);
  read(*config, "sync_always", out.sync_always);
}

void fill(const dom::object& from, connz& out) {
  read(from, "server_id", out.server_id);
  read_all(from, connz_numbers, out);
  dom::array list;
  if (from["connections"].get(list) != simdjson::SUCCESS) return;
  for (const dom::element entry : list) {
    dom::object one;
    if (entry.get(one) == simdjson::SUCCESS) out.connections.push_back(read_connection(one));
  }
}

void fill(const dom::object& from, jsz& out) {
  read(from, "server_id", out.server_id);
  read(from, "disabled", out.disabled);
  read_all(from, jsz_numbers, out);
  if (const auto api = inner(from, "api")) read_all(*api, jsz_api, out);
  const auto config = inner(from, "config");
  if (!config) return;
  read_all(*config, jsz_limits, out);
  read(*config, "sync_always", out.sync_always);
}

void fill(const dom::object& from, healthz& out) {
  read(from, "status", out.status);
  read(from, "status_code", out.status_code);
  read(from, "error", out.error);
}

template <class T>
bool read_document(std::string_view json, T& out) {
  dom::parser parser;
  dom::object root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return false;
  fill(root, out);
  out.raw = json;
  return true;
}

}  // namespace

bool read_page(std::string_view json, varz& out) { return read_document(json, out); }
bool read_page(std::string_view json, connz& out) { return read_document(json, out); }
bool read_page(std::string_view json, jsz& out) { return read_document(json, out); }
bool read_page(std::string_view json, healthz& out) { return read_document(json, out); }

std::optional<system_answer> read_system_answer(std::string_view json) {
  dom::parser parser;
  dom::object root;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return std::nullopt;
  const auto server = inner(root, "server");
  const auto data = inner(root, "data");
  if (!server || !data) return std::nullopt;
  system_answer answer;
  read(*server, "id", answer.server_id);
  read(*server, "name", answer.server_name);
  answer.data = simdjson::minify(*data);
  return answer;
}

}  // namespace compass_fabric::proto
