// SPDX-License-Identifier: Apache-2.0
// A TCP proxy on loopback that does to a connection what networks do.
//
//   fault_proxy proxy(server.port());
//   ... connect to proxy.url() ...
//   proxy.rechunk(direction::to_client, 1, 3);   // every frame in crumbs
//   proxy.refuse();
//   proxy.reset();                               // an outage begins
//   proxy.accept();                              // and ends
#pragma once

#include <compass_fabric/testing/deadline.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

/// Where bytes are going.
enum class direction : std::size_t { to_server = 0, to_client = 1 };

/// Gets the bytes of one read, returns those to forward.
using rewriter = std::function<std::string(std::string_view)>;

/// A rewriter that sees whole lines, with their line end: bytes after the last line end wait for the rest of their
/// line. `change` returns the line to forward, empty to drop it.
rewriter by_line(std::function<std::string(std::string_view)> change);

/// Runs on a thread of its own. Every call takes effect before it returns, on present and on later connections unless
/// it says otherwise, and may be made from any thread.
class fault_proxy {
 public:
  /// Listens on a free port and forwards to 127.0.0.1:`upstream_port`; `seed` decides the sizes of `rechunk`.
  explicit fault_proxy(std::uint16_t upstream_port, std::uint64_t seed = 1);
  ~fault_proxy();
  fault_proxy(const fault_proxy&) = delete;
  fault_proxy& operator=(const fault_proxy&) = delete;

  std::uint16_t port() const;
  std::string url() const;
  /// Later connections go to this port instead.
  void set_upstream(std::uint16_t port);

  /// Forwards in pieces of `least` to `most` bytes, each in a packet of its own. `most` = 0 ends it.
  void rechunk(direction way, std::size_t least, std::size_t most);
  /// Every piece waits this long before it goes on.
  void delay(direction way, milliseconds time);
  /// Reads nothing more, so that the sender's buffers fill; `resume` goes on without loss.
  void pause(direction way);
  /// Reads and drops everything: the sender believes it arrives. `resume` ends it.
  void blackhole(direction way);
  void resume(direction way);
  /// Every read passes through `change`, which returns what to forward; each connection has a copy of its own.
  void rewrite(direction way, rewriter change);

  /// Ends one direction of all present connections: the receiver reads end-of-file, the other way goes on.
  void half_close(direction way);
  /// Ends all present connections in an orderly way (FIN to both ends), or with RST.
  void cut();
  void reset();
  /// Forwards `count` more bytes this way, all connections together, then cuts all; happens once.
  void cut_after(direction way, std::uint64_t count);

  /// New connections are refused (nobody listens), and taken again.
  void refuse();
  void accept();

  /// Bytes forwarded this way, connections taken since the start, connections open now.
  std::uint64_t bytes(direction way) const;
  std::size_t connections() const;
  std::size_t open_connections() const;

 private:
  class engine;
  std::unique_ptr<engine> engine_;
};

}  // namespace compass_fabric::testing
