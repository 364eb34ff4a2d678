// SPDX-License-Identifier: Apache-2.0
// Any block can be read, and what was read can be written and reads back the same.
#include "proto/header_block.hpp"
#include "require.hpp"

#include <compass_fabric/headers.hpp>

#include <string>
#include <vector>

using namespace compass_fabric;
using compass_fabric::testing::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const headers_view view(compass_fabric::testing::as_text(data, size));
  require(view.status() >= 0 && view.status() <= 999);
  for (const auto& [name, value] : view) {
    require(proto::header_fault(name, value).empty());
    require(view.get(name).has_value() && view.get_ignore_case(name).has_value());
    require(!view.get_all(name).empty());
  }

  const headers fields(view);
  const std::vector<headers::field> list(fields.begin(), fields.end());
  std::string block;
  proto::append_header_block(block, list);
  require(block.size() == proto::encoded_size(list));
  require(!proto::malformed(block));
  require(headers(headers_view(block)) == fields);
  if (!view.malformed() && view.status() == 0) require(block.size() <= size + 3 * fields.size() + 12);
  return 0;
}
