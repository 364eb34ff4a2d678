// SPDX-License-Identifier: Apache-2.0
// A transport of the user's own: any stream of bytes to a server, such as a Unix socket, an SSH channel or a server in
// the same process. TLS and WebSocket run over it as over TCP.
//
//   options.make_stream = [](dial_target target) -> boost::asio::awaitable<std::unique_ptr<byte_stream>> {
//     co_return std::make_unique<my_stream>(co_await open_channel(target.host, target.port));
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <boost/asio/awaitable.hpp>

namespace compass_fabric {

/// Two directions of bytes, in order and without loss until it ends. Used on the connection's executor only; one read
/// and one write may be pending at a time. Destroyed after both have ended, or with the executor's context.
class byte_stream {
 public:
  virtual ~byte_stream() = default;

  /// Waits for bytes and puts them into `room`, which is not empty; returns how many came, 0 at the end of the stream.
  /// Errors: throws `boost::system::system_error`; the link is lost for that reason.
  virtual boost::asio::awaitable<std::size_t> read_some(std::span<char> room) = 0;
  /// Sends a part of `bytes`, which is not empty; returns how many were taken, at least one.
  /// Errors: as `read_some`.
  virtual boost::asio::awaitable<std::size_t> write_some(std::span<const char> bytes) = 0;
  /// Ends the stream at once: pending operations end soon, with any error. May be called more than once.
  virtual void close() noexcept = 0;
};

/// Where a stream shall lead.
struct dial_target {
  /// Name or address as in the server's address, an IPv6 address without brackets.
  std::string host;
  std::uint16_t port = 0;
};

/// Makes the stream for one attempt, on the connection's executor; called for each. An exception or an empty pointer
/// fails the attempt. It is given up, and its result dropped, at `connect_timeout`.
using stream_factory = std::function<boost::asio::awaitable<std::unique_ptr<byte_stream>>(dial_target target)>;

}  // namespace compass_fabric
