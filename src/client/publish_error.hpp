// SPDX-License-Identifier: Apache-2.0
// The text that goes with a refused publish: which subject, which rule, which sizes.
#pragma once

#include <string_view>

#include <compass_fabric/connection.hpp>

namespace compass_fabric::client {

class connection_core;

/// Throws `ec` with a text that names the subject and, by the kind of error, the broken rule or the sizes.
[[noreturn]] void throw_publish_error(error_code ec, connection_core& core, std::string_view subject,
                                      std::string_view payload, const publish_options& options);

}  // namespace compass_fabric::client
