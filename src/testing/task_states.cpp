// SPDX-License-Identifier: Apache-2.0
#include "testing/task_states.hpp"

#include <compass_fabric/testing/temp_dir.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace compass_fabric::testing {
namespace {

// `4711 (name) T ...`; the name may hold anything, parentheses too.
bool stopped(const std::string& stat) {
  const auto name_end = stat.rfind(") ");
  return name_end != std::string::npos && (stat[name_end + 2] == 'T' || stat[name_end + 2] == 't');
}

}  // namespace

bool all_tasks_stopped(long pid) {
  std::error_code ec;
  std::filesystem::directory_iterator task("/proc/" + std::to_string(pid) + "/task", ec);
  bool all = !ec;
  for (; all && !ec && task != std::filesystem::directory_iterator(); task.increment(ec)) {
    all = stopped(read_file(task->path() / "stat"));
  }
  return all && !ec;
}

}  // namespace compass_fabric::testing
