// SPDX-License-Identifier: Apache-2.0
// One accepted connection of a `byte_peer`, with calls that block.
#pragma once

#include <compass_fabric/testing/deadline.hpp>
#include "testing/unique_fd.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

/// Every call throws `std::runtime_error`, naming what it waited for and what came, when it fails or `limit` passes.
class peer_connection {
 public:
  /// Takes the socket; `hold` and `swallow` end when `stop` becomes readable.
  peer_connection(unique_fd socket, int stop);

  /// How long each wait of this connection may take.
  void set_limit(milliseconds limit) { limit_ = limit; }

  void send(std::string_view bytes);
  /// Sends in pieces of `size` bytes, each in a packet of its own.
  void send_in_pieces(std::string_view bytes, std::size_t size = 1);

  /// Reads exactly these bytes.
  void expect(std::string_view bytes);
  /// Reads up to and including the next line end and returns the line without it.
  std::string read_line();
  /// `read_line`, which must begin with `prefix`.
  std::string expect_line_starting(std::string_view prefix);
  /// Reads exactly `count` bytes.
  std::string read(std::size_t count);
  /// The client closes: nothing but end-of-file or a reset comes.
  void expect_closed();

  /// Says nothing and reads nothing until the client closes or the test ends.
  void hold();
  /// Reads and forgets everything until the client closes or the test ends; returns what came.
  std::string swallow();

  /// Ends sending (FIN), ends the connection, or ends it with RST.
  void half_close();
  void close();
  void reset();

 private:
  enum class wake { readable, closed, stopped };
  enum class until { deadline, stop };
  wake wait(short events, std::string_view what, until end = until::deadline);
  bool fill(std::string_view what, until end = until::deadline);

  unique_fd socket_;
  int stop_;
  milliseconds limit_ = default_wait;
  std::string unread_;
};

}  // namespace compass_fabric::testing
