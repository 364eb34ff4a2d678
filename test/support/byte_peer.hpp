// SPDX-License-Identifier: Apache-2.0
// A scripted peer: a loopback listener that says and expects exact bytes.
//
//   byte_peer peer([](peer_connection& c) {
//     c.send("INFO {}\r\n");
//     c.expect_line_starting("CONNECT ");
//     c.expect("PING\r\n");
//     c.hold();   // silent, open, until the client closes or the test ends
//   });
//   ... connect to peer.url() ...
//   peer.finish();
#pragma once

#include "support/peer_connection.hpp"
#include "testing/unique_fd.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace compass_fabric::testing {

/// Plays one script per connection, in order, on a thread of its own; when the scripts are used up it no longer
/// listens, so that further connections are refused.
class byte_peer {
 public:
  using script = std::function<void(peer_connection&)>;

  explicit byte_peer(script only);
  explicit byte_peer(std::vector<script> scripts);
  /// Ends the script that is running and says on standard error when one failed and nobody called `finish`.
  ~byte_peer();
  byte_peer(const byte_peer&) = delete;
  byte_peer& operator=(const byte_peer&) = delete;

  std::uint16_t port() const { return port_; }
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(port_); }

  /// Scripts played to their end so far.
  std::size_t played() const { return played_; }

  /// Ends `hold` and `swallow`, waits for the scripts' end and throws what the first failing one threw, or that a
  /// connection with a script never came.
  void finish();

 private:
  void listen();
  void play();

  std::vector<script> scripts_;
  std::uint16_t port_;
  unique_fd listener_;
  unique_fd stop_;  // an eventfd: readable once the peer is to end
  std::atomic<std::size_t> played_{0};
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace compass_fabric::testing
