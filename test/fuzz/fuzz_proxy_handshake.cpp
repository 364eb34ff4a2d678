// SPDX-License-Identifier: Apache-2.0
// A proxy's answers: the first byte chooses the conversation, the second how they are cut.
#include "proto/proxy_handshake.hpp"
#include "require.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

using namespace compass_fabric::proto;
using compass_fabric::testing::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  proxy_address proxy;
  proxy.scheme = (data[0] & 1) != 0 ? proxy_scheme::http : proxy_scheme::socks5;
  if ((data[0] & 2) != 0) proxy.user = "user";
  const std::size_t piece = data[1] % 16U + 1U;
  std::string_view answers(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto talk = start_proxy_handshake(proxy, {"host", 4222});
  while (talk->status() == proxy_status::talking && !answers.empty()) {
    talk->take_output();
    require(talk->wanted() > 0);
    const auto count = std::min({piece, talk->wanted(), answers.size()});
    talk->feed(answers.substr(0, count));
    answers.remove_prefix(count);
  }
  require((talk->status() == proxy_status::failed) == !talk->fault().empty());
  return 0;
}
