// SPDX-License-Identifier: Apache-2.0
// The version this library reports to servers; equals the CMake project's.
#pragma once

namespace compass_fabric::client {

inline constexpr const char* library_version = COMPASS_FABRIC_VERSION;

}  // namespace compass_fabric::client
