// SPDX-License-Identifier: Apache-2.0
// Any text can be parsed as an address, and an address printed without its credentials is one again.
#include "proto/server_url.hpp"
#include "require.hpp"

#include <string>

using namespace compass_fabric::proto;
using compass_fabric::testing::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = compass_fabric::testing::as_text(data, size);
  std::string fault;
  const auto url = parse_server_url(text, fault);
  require(url.has_value() == fault.empty());
  if (url) {
    const auto again = parse_server_url(to_string(*url), fault);
    require(again && again->scheme == url->scheme && again->host == url->host && again->port == url->port);
    require(again->user.empty() && again->password.empty() && again->token.empty());
  }
  const auto list = parse_server_list(text, fault);
  require(list.has_value() == fault.empty());
  return 0;
}
