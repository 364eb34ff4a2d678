// SPDX-License-Identifier: Apache-2.0
// What the project's own `dev` script knows: which server binary and which image the tests use.
#pragma once

#include <string>

namespace compass_fabric::testing {

/// The path of a nats-server of the tested version: `$NATS_SERVER` if set, else what `dev which-server` says.
/// Throws `std::runtime_error` when there is none: a test without its server fails.
std::string nats_server_binary();

/// The image's name, built or pulled by `dev image` if it is not there. Throws as above.
std::string nats_server_image();

}  // namespace compass_fabric::testing
