// SPDX-License-Identifier: Apache-2.0
#include "client/secret_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace compass_fabric::client {
namespace {

constexpr std::size_t largest = 64 * 1024;

/// Fills `text` from `fd` until its end or until it is full. Returns the error number, 0 for none.
int read_all(int fd, std::string& text) {
  text.resize(largest + 1);
  std::size_t filled = 0;
  while (filled < text.size()) {
    const auto n = ::read(fd, text.data() + filled, text.size() - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    if (n == 0) break;
    filled += static_cast<std::size_t>(n);
  }
  text.resize(filled);
  return 0;
}

}  // namespace

// Streams of the standard library would leave what they buffer behind.
std::optional<secret> read_secret_file(const std::string& path, std::string& fault) {
  const auto fail = [&](const std::string& why) {
    fault = "cannot read " + path + ": " + why;
    return std::nullopt;
  };
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(std::generic_category().message(errno));
  std::string text;
  const int error = read_all(fd, text);
  ::close(fd);
  const bool too_long = text.size() > largest;
  secret content(std::move(text));
  if (error != 0) return fail(std::generic_category().message(error));
  if (too_long) return fail("longer than 64 KiB");
  return content;
}

}  // namespace compass_fabric::client
