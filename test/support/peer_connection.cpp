// SPDX-License-Identifier: Apache-2.0
#include "support/peer_connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

namespace compass_fabric::testing {
namespace {

[[noreturn]] void fail(std::string_view what, std::string_view got) {
  throw std::runtime_error("peer: waited for " + std::string(what) + ", got \"" + std::string(got) + "\"");
}

}  // namespace

peer_connection::peer_connection(unique_fd socket, int stop) : socket_(std::move(socket)), stop_(stop) {}

peer_connection::wake peer_connection::wait(short events, std::string_view what, until end) {
  std::array<pollfd, 2> handles{pollfd{socket_.get(), events, 0}, pollfd{stop_, POLLIN, 0}};
  const bool stoppable = end == until::stop;
  const int ready = ::poll(handles.data(), stoppable ? 2 : 1, stoppable ? -1 : static_cast<int>(limit_.count()));
  if (ready == 0) fail(what, unread_);
  if ((handles[0].revents & events) != 0) return wake::readable;
  if (handles[0].revents != 0) return wake::closed;
  return wake::stopped;
}

// Appends to what is unread; false at the end of the connection.
bool peer_connection::fill(std::string_view what, until end) {
  if (wait(POLLIN, what, end) != wake::readable) return false;
  std::array<char, 16384> buffer;
  const auto count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (count <= 0) return false;
  unread_.append(buffer.data(), static_cast<std::size_t>(count));
  return true;
}

void peer_connection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    if (wait(POLLOUT, "room to send") != wake::readable) fail("room to send", "the end of the connection");
    const auto count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN) fail("room to send", "an error");
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void peer_connection::send_in_pieces(std::string_view bytes, std::size_t size) {
  for (std::size_t at = 0; at < bytes.size(); at += size) send(bytes.substr(at, size));
}

std::string peer_connection::read(std::size_t count) {
  while (unread_.size() < count) {
    if (!fill(std::to_string(count) + " bytes")) fail(std::to_string(count) + " bytes", unread_);
  }
  auto result = unread_.substr(0, count);
  unread_.erase(0, count);
  return result;
}

void peer_connection::expect(std::string_view bytes) {
  while (unread_.size() < bytes.size() && bytes.starts_with(unread_)) {
    if (!fill(bytes)) fail(bytes, unread_);
  }
  if (!unread_.starts_with(bytes)) fail(bytes, unread_);
  unread_.erase(0, bytes.size());
}

std::string peer_connection::read_line() {
  auto end = unread_.find("\r\n");
  while (end == std::string::npos) {
    if (!fill("a line")) fail("a line", unread_);
    end = unread_.find("\r\n");
  }
  auto line = unread_.substr(0, end);
  unread_.erase(0, end + 2);
  return line;
}

std::string peer_connection::expect_line_starting(std::string_view prefix) {
  auto line = read_line();
  if (!line.starts_with(prefix)) fail(prefix, line);
  return line;
}

void peer_connection::expect_closed() {
  if (fill("the client to close") || !unread_.empty()) fail("the client to close", unread_);
}

void peer_connection::hold() { wait(POLLRDHUP, "the client to close", until::stop); }

std::string peer_connection::swallow() {
  while (fill("the client to close", until::stop)) {
  }
  return std::exchange(unread_, {});
}

void peer_connection::half_close() { ::shutdown(socket_.get(), SHUT_WR); }

void peer_connection::close() { socket_.reset(); }

void peer_connection::reset() {
  const linger at_once{1, 0};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  socket_.reset();
}

}  // namespace compass_fabric::testing
