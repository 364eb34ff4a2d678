// SPDX-License-Identifier: Apache-2.0
// The Docker engine's command line.
#pragma once

#include <string>
#include <vector>

namespace compass_fabric::testing {

/// Runs `docker` with these arguments and returns its output without the last line ends. Throws `std::runtime_error`
/// with what it says when it fails.
std::string docker(std::vector<std::string> args);

/// The label, as `name=value`, of all that this process makes in the engine: its process id.
std::string owner_label();

/// Once per process: removes containers and networks whose test process is gone without having removed them (it was
/// killed).
void remove_orphans();

}  // namespace compass_fabric::testing
