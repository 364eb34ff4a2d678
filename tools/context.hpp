// SPDX-License-Identifier: Apache-2.0
// Contexts of the NATS command line: named connection settings below $XDG_CONFIG_HOME/nats (default ~/.config/nats).
#pragma once

#include "arguments.hpp"

namespace fabricctl {

/// Fills in what the command line and the environment leave open: from the context they name, else, when they name no
/// server either, from the selected one (`context.txt`), else with the default server.
/// Throws `std::runtime_error` naming the file when a context cannot be used.
void apply_context(common_options& options);

}  // namespace fabricctl
