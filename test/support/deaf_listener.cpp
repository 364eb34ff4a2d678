// SPDX-License-Identifier: Apache-2.0
#include "support/deaf_listener.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <stdexcept>

namespace compass_fabric::testing {

deaf_listener::deaf_listener(const std::string& address, std::uint16_t port)
    : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
  const auto* const name = reinterpret_cast<const sockaddr*>(&at);
  const int yes = 1;
  ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(listener_.get(), name, sizeof at) != 0 || ::listen(listener_.get(), 0) != 0) {
    throw std::runtime_error("cannot listen on " + address);
  }
  for (int i = 0; i < 20; ++i) {
    unique_fd client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    ::connect(client.get(), name, sizeof at);
    pollfd established{client.get(), POLLOUT, 0};
    const bool taken = ::poll(&established, 1, 50) == 1;
    queued_.push_back(std::move(client));
    if (!taken) return;  // the queue is full
  }
  throw std::runtime_error("the queue of " + address + " does not fill");
}

}  // namespace compass_fabric::testing
