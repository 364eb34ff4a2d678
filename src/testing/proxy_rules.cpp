// SPDX-License-Identifier: Apache-2.0
#include "testing/proxy_rules.hpp"

#include <algorithm>
#include <utility>

namespace compass_fabric::testing {

rewriter by_line(std::function<std::string(std::string_view)> change) {
  return [change = std::move(change), rest = std::string()](std::string_view bytes) mutable {
    rest.append(bytes);
    std::string result;
    std::size_t begin = 0;
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', begin)) {
      result += change(std::string_view(rest).substr(begin, end + 1 - begin));
      begin = end + 1;
    }
    rest.erase(0, begin);
    return result;
  };
}

std::size_t proxy_rules::next_piece(std::size_t available, std::mt19937_64& random) const {
  std::size_t size = available;
  if (most != 0) size = std::min(size, std::uniform_int_distribution<std::size_t>(least, most)(random));
  if (cut_after) size = static_cast<std::size_t>(std::min<std::uint64_t>(size, *cut_after));
  return size;
}

}  // namespace compass_fabric::testing
