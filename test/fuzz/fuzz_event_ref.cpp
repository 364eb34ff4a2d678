// SPDX-License-Identifier: Apache-2.0
// Fuzz target: any bytes either are refused as an event reference with a reason, or decode to one that encodes and
// decodes to itself.
#include <compass_fabric/fabric/event_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace fabric = compass_fabric::fabric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto decoded = fabric::decode_event_ref({reinterpret_cast<const char*>(data), size});
  if (decoded.has_error()) {
    if (decoded.error().text.empty()) std::abort();
    return 0;
  }
  if (fabric::check(*decoded)) std::abort();
  const auto again = fabric::decode_event_ref(fabric::encode(*decoded));
  if (again.has_error() || *again != *decoded) std::abort();
  if (fabric::message_id(*decoded).size() != 64) std::abort();
  return 0;
}
