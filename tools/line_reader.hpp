// SPDX-License-Identifier: Apache-2.0
// Lines of a file or of standard input, read without blocking the executor.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>
#include <vector>

namespace fabricctl {

class line_reader {
 public:
  /// Opens `path`, "-" for standard input. Throws `std::system_error`, the path named.
  line_reader(const boost::asio::any_io_executor& executor, const std::string& path);

  /// The lines that are there, at least one; none at the end. A last line needs no line end.
  boost::asio::awaitable<std::vector<std::string>> next();

 private:
  std::vector<std::string> take_lines();

  boost::asio::posix::stream_descriptor input_;
  std::string unread_;
  bool ended_ = false;
};

}  // namespace fabricctl
