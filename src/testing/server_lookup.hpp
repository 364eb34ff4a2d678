// SPDX-License-Identifier: Apache-2.0
// Which server program and which image a test's server runs.
#pragma once

#include <compass_fabric/testing/nats_server_options.hpp>

#include <string>

namespace compass_fabric::testing {

/// The path of the server program: what the options say, else `$NATS_SERVER`, else `nats-server` on PATH. Throws
/// `std::runtime_error` when there is none: a test without its server fails.
std::string find_server_binary(const nats_server_options& options);

/// The image's name: what the options say, else `$COMPASS_FABRIC_SERVER_IMAGE`, else that of the tested version.
std::string choose_server_image(const nats_server_options& options);

}  // namespace compass_fabric::testing
