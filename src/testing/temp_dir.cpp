// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/temp_dir.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace compass_fabric::testing {

temp_dir::temp_dir() {
  std::string name = (std::filesystem::temp_directory_path() / "compass_fabric.XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary directory: " + name);
  path_ = name;
}

temp_dir::~temp_dir() {
  std::error_code ignored;  // a destructor has nobody to tell
  std::filesystem::remove_all(path_, ignored);
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.flush();
  if (!out) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace compass_fabric::testing
