// SPDX-License-Identifier: Apache-2.0
// Any text can be classified, and only permission errors name what was refused.
#include "proto/server_error.hpp"
#include "require.hpp"

using namespace compass_fabric::proto;
using compass_fabric::testing::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = compass_fabric::testing::as_text(data, size);
  const auto error = classify_server_error(text);
  require(error.text.size() <= size && error.subject.size() <= size && error.queue.size() <= size);
  const bool permission = error.kind == server_error_kind::permission;
  require(permission == (error.code == compass_fabric::errc::permission_violation));
  require(permission || error.operation == refused_operation::none);
  require(error.operation != refused_operation::none || error.subject.empty());
  require(error.operation == refused_operation::subscription || (error.queue.empty() && !error.sid));
  const auto again = classify_server_error("'" + error.text + "'");
  require(again.code == error.code && again.subject == error.subject && again.queue == error.queue);
  return 0;
}
