// SPDX-License-Identifier: Apache-2.0
// Single values out of JSON text, for tests: monitoring pages, output of tools, payloads.
//
//   CHECK(json_int(varz, "/jetstream/config/sync_interval") == 100'000'000);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

/// The value at a JSON pointer (RFC 6901); nothing when it is absent or of another type. Throws
/// `std::runtime_error` when `json` is not JSON.
std::optional<std::int64_t> json_int(std::string_view json, std::string_view pointer);
std::optional<bool> json_bool(std::string_view json, std::string_view pointer);
std::optional<std::string> json_string(std::string_view json, std::string_view pointer);

/// The number of elements of the array at `pointer`; nothing when there is none.
std::optional<std::size_t> json_size(std::string_view json, std::string_view pointer);

}  // namespace compass_fabric::testing
