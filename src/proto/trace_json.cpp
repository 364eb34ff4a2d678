// SPDX-License-Identifier: Apache-2.0
#include "proto/trace_json.hpp"

#include <simdjson.h>

#include <utility>

namespace compass_fabric::proto {

namespace {

namespace dom = simdjson::dom;

void read(const dom::object& from, std::string_view key, std::string& out) {
  std::string_view text;
  if (from[key].get(text) == simdjson::SUCCESS) out = text;
}

traced_step read_step(const dom::object& from) {
  traced_step step;
  constexpr std::pair<std::string_view, std::string traced_step::*> texts[] = {
      {"type", &traced_step::type},     {"name", &traced_step::name},   {"acc", &traced_step::account},
      {"subj", &traced_step::subject},  {"sub", &traced_step::subject}, {"queue", &traced_step::queue},
      {"stream", &traced_step::stream}, {"error", &traced_step::error}, {"subject", &traced_step::subject}};
  for (const auto& [key, member] : texts) read(from, key, step.*member);
  if (from["kind"].get(step.kind) != simdjson::SUCCESS) step.kind = 0;
  return step;
}

}  // namespace

bool read_trace(std::string_view json, traced_stop& out) {
  dom::parser parser;
  dom::object root;
  dom::object server;
  dom::array events;
  if (parser.parse(json.data(), json.size()).get(root) != simdjson::SUCCESS) return false;
  if (root["server"].get(server) != simdjson::SUCCESS || root["events"].get(events) != simdjson::SUCCESS) return false;
  read(server, "name", out.server_name);
  read(server, "id", out.server_id);
  if (root["hops"].get(out.hops) != simdjson::SUCCESS) out.hops = 0;
  for (const dom::element entry : events) {
    dom::object event;
    if (entry.get(event) == simdjson::SUCCESS) out.steps.push_back(read_step(event));
  }
  return true;
}

}  // namespace compass_fabric::proto
