// SPDX-License-Identifier: Apache-2.0
// A directory that is gone with its object.
#pragma once

#include <filesystem>
#include <string>

namespace compass_fabric::testing {

/// Makes an empty directory of its own below the system's temporary one; removes it with all it holds at the end.
class temp_dir {
 public:
  temp_dir();
  ~temp_dir();
  temp_dir(const temp_dir&) = delete;
  temp_dir& operator=(const temp_dir&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The whole text of `file`; empty when there is none.
std::string read_file(const std::filesystem::path& file);

/// Writes `text` as the whole of `file`. Throws `std::runtime_error` when that fails.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace compass_fabric::testing
