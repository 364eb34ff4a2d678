// SPDX-License-Identifier: Apache-2.0
#include "jetstream/pull_request.hpp"

#include "proto/json_writer.hpp"

namespace compass_fabric::jetstream {

std::string to_json(const pull_request& request) {
  std::string body;
  proto::json_writer out(body);
  out.begin_object();
  out.member("batch", request.batch);
  if (request.max_bytes != 0) out.member("max_bytes", request.max_bytes);
  if (request.expires.count() != 0) out.member("expires", request.expires.count());
  if (request.idle_heartbeat.count() != 0) out.member("idle_heartbeat", request.idle_heartbeat.count());
  if (request.no_wait) out.member("no_wait", true);
  out.end_object();
  return body;
}

}  // namespace compass_fabric::jetstream
