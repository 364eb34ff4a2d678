// SPDX-License-Identifier: Apache-2.0
// Any text can be parsed, and an INFO written from what was understood is understood the same way.
#include "proto/json_writer.hpp"
#include "proto/server_info.hpp"
#include "require.hpp"

#include <string>

using namespace compass_fabric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto info = proto::parse_server_info(compass_fabric::testing::as_text(data, size));
  if (!info) return 0;
  std::string text;
  proto::json_writer json(text);
  json.begin_object();
  json.member("server_id", info->server_id);
  json.member("client_id", info->client_id);
  json.member("max_payload", info->max_payload);
  json.member("ldm", info->lame_duck);
  json.key("connect_urls");
  json.begin_array();
  for (const auto& url : info->connect_urls) json.value(url);
  json.end_array();
  json.end_object();
  const auto again = proto::parse_server_info(text);
  compass_fabric::testing::require(again && again->server_id == info->server_id &&
                                   again->client_id == info->client_id && again->max_payload == info->max_payload &&
                                   again->lame_duck == info->lame_duck && again->connect_urls == info->connect_urls);
  return 0;
}
