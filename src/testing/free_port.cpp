// SPDX-License-Identifier: Apache-2.0
#include "testing/free_port.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <random>
#include <stdexcept>
#include <string>

namespace compass_fabric::testing {
namespace {

constexpr std::uint16_t first_port = 10'000;
constexpr std::uint16_t last_port = 32'000;

// Claims `port` among test processes by a socket name of the abstract namespace; the kernel frees it at our end,
// whatever that end is. The descriptor is left open on purpose.
bool claim(std::uint16_t port) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "compass_fabric.test.port." + std::to_string(port);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), size) == 0) return true;
  ::close(fd);
  return false;
}

bool nobody_listens(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  const int yes = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  const bool bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return bound;
}

}  // namespace

std::uint16_t free_port() {
  static std::mt19937 random{std::random_device{}()};
  std::uniform_int_distribution<int> pick(first_port, last_port);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const auto port = static_cast<std::uint16_t>(pick(random));
    if (nobody_listens(port) && claim(port)) return port;
  }
  throw std::runtime_error("no free port on 127.0.0.1");
}

}  // namespace compass_fabric::testing
