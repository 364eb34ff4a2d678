// SPDX-License-Identifier: Apache-2.0
// A check that stays on in every build: the fuzzer reports the abort with the input that caused it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace compass_fabric::testing {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace compass_fabric::testing
