// SPDX-License-Identifier: Apache-2.0
#include "support/byte_peer.hpp"

#include "testing/free_port.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace compass_fabric::testing {

byte_peer::byte_peer(script only) : byte_peer(std::vector<script>{std::move(only)}) {}

byte_peer::byte_peer(std::vector<script> scripts)
    : scripts_(std::move(scripts)), port_(free_port()), stop_(::eventfd(0, EFD_CLOEXEC)) {
  listen();
  thread_ = std::thread([this] { play(); });
}

byte_peer::~byte_peer() {
  if (!thread_.joinable()) return;
  try {
    finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "byte_peer: %s\n", error.what());
  }
}

void byte_peer::listen() {
  listener_ = unique_fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int yes = 1;
  ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port_);
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_.get(), SOMAXCONN) != 0) {
    throw std::runtime_error("byte_peer: cannot listen on port " + std::to_string(port_));
  }
}

void byte_peer::play() {
  try {
    for (const auto& act : scripts_) {
      std::array<pollfd, 2> handles{pollfd{listener_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
      ::poll(handles.data(), handles.size(), -1);
      if ((handles[0].revents & POLLIN) == 0) {
        throw std::runtime_error("byte_peer: connection " + std::to_string(played_ + 1) + " never came");
      }
      unique_fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      const int yes = 1;
      ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      peer_connection connection(std::move(socket), stop_.get());
      act(connection);
      ++played_;
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
  listener_.reset();
}

void byte_peer::finish() {
  const std::uint64_t one = 1;
  if (::write(stop_.get(), &one, sizeof one) < 0) throw std::runtime_error("byte_peer: cannot end the script");
  if (thread_.joinable()) thread_.join();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace compass_fabric::testing
