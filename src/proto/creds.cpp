// SPDX-License-Identifier: Apache-2.0
#include "proto/creds.hpp"

#include <algorithm>
#include <vector>

#include "proto/header_block.hpp"

namespace compass_fabric::proto {
namespace {

/// One line without blanks around it, a CR included; takes it off the front of `text`.
std::string_view next_line(std::string_view& text) noexcept {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return trim_blanks(line);
}

bool is_boundary(std::string_view line) noexcept { return line.starts_with("---"); }
bool opens_block(std::string_view line) noexcept {
  return is_boundary(line) && line.find("BEGIN") != std::string_view::npos;
}

/// The lines of each block that was opened and closed.
std::vector<std::vector<std::string_view>> blocks_of(std::string_view text) {
  std::vector<std::vector<std::string_view>> blocks;
  std::vector<std::string_view> lines;
  bool inside = false;
  while (!text.empty()) {
    const auto line = next_line(text);
    if (is_boundary(line)) {
      if (inside) blocks.push_back(std::move(lines));
      lines.clear();
      inside = opens_block(line);
    } else if (inside && !line.empty()) {
      lines.push_back(line);
    }
  }
  return blocks;
}

bool is_seed_like(std::string_view line) noexcept { return line.starts_with('S'); }

}  // namespace

std::optional<user_creds> parse_creds(std::string_view text, std::string& fault) {
  const auto fail = [&](const char* why) {
    fault = why;
    return std::nullopt;
  };
  const auto blocks = blocks_of(text);
  if (blocks.empty()) return fail("no JWT block");
  if (blocks[0].size() != 1) return fail("the JWT block must hold one line");
  const auto jwt = blocks[0].front();
  if (std::count(jwt.begin(), jwt.end(), '.') != 2) return fail("the first block is not a JWT");
  if (blocks.size() < 2) return fail("no seed block");
  if (blocks[1].size() != 1) return fail("the seed block must hold one line");
  const auto seed = blocks[1].front();
  if (!is_seed_like(seed)) return fail("the second block is not a seed");
  return user_creds{jwt, seed};
}

std::optional<secret> parse_seed_file(std::string_view text, std::string& fault) {
  const auto blocks = blocks_of(text);
  for (const auto& block : blocks)
    if (block.size() == 1 && is_seed_like(block.front())) return secret(block.front());
  while (blocks.empty() && !text.empty()) {
    const auto line = next_line(text);
    if (is_seed_like(line)) return secret(line);
  }
  fault = "no line with a seed";
  return std::nullopt;
}

}  // namespace compass_fabric::proto
