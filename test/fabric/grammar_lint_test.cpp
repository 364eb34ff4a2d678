// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// Files of the library and its programs that spell `literal`.
std::vector<std::string> spelled_in(const std::string& literal) {
  const fs::path root = COMPASS_FABRIC_SOURCE_DIR;
  std::vector<std::string> files;
  for (const auto room : {"include", "src", "tools", "examples", "bench"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / room)) {
      const auto type = entry.path().extension();
      if (type != ".hpp" && type != ".cpp") continue;
      if (read(entry.path()).find(literal) != std::string::npos) {
        files.push_back(fs::relative(entry.path(), root).generic_string());
      }
    }
  }
  return files;
}

bool grammar(const std::string& file) {
  return file == "include/compass_fabric/fabric/subject.hpp" || file == "src/fabric/subject.cpp";
}

}  // namespace

TEST_CASE("[000-10] no file but the grammar spells a subject of the fabric", "[fabric]") {
  for (const auto literal : {"\"compass.", ".comms.", "\"client.", "\"compass-runner-events"}) {
    const auto files = spelled_in(literal);
    CAPTURE(literal);
    CHECK(!files.empty());  // a literal that nobody spells would make the rule empty
    for (const auto& file : files) {
      CAPTURE(file);
      CHECK(grammar(file));
    }
  }
}
