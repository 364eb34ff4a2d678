// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <compass_fabric/compass_fabric.hpp>

int main() {
  const compass_fabric::error_code code = compass_fabric::errc::no_responders;
  std::printf("%s: %s\n", code.category().name(), code.message().c_str());
  return code == compass_fabric::errc::no_responders ? 0 : 1;
}
