// SPDX-License-Identifier: Apache-2.0
// Whether a process stands still.
#pragma once

namespace compass_fabric::testing {

/// True when every thread of process `pid` is stopped by a signal: SIGSTOP reaches them one after another.
bool all_tasks_stopped(long pid);

}  // namespace compass_fabric::testing
