// SPDX-License-Identifier: Apache-2.0
#include "line_reader.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <cerrno>
#include <system_error>
#include <utility>

namespace fabricctl {

namespace asio = boost::asio;

namespace {

int open_input(const std::string& path) {
  const int fd = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw std::system_error(errno, std::generic_category(), path);
  return fd;
}

}  // namespace

line_reader::line_reader(const asio::any_io_executor& executor, const std::string& path)
    : input_(executor, open_input(path)) {}

std::vector<std::string> line_reader::take_lines() {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (auto end = unread_.find('\n'); end != unread_.npos; end = unread_.find('\n', begin)) {
    lines.push_back(unread_.substr(begin, end - begin));
    begin = end + 1;
  }
  unread_.erase(0, begin);
  return lines;
}

asio::awaitable<std::vector<std::string>> line_reader::next() {
  std::vector<std::string> lines;
  while (lines.empty() && !ended_) {
    char block[65536];
    const auto [error, size] =
        co_await input_.async_read_some(asio::buffer(block), asio::as_tuple(asio::use_awaitable));
    unread_.append(block, size);
    if (error && error != asio::error::eof) throw boost::system::system_error(error, "input");
    ended_ = error == asio::error::eof;
    lines = take_lines();
    if (ended_ && !unread_.empty()) lines.push_back(std::exchange(unread_, {}));
  }
  co_return lines;
}

}  // namespace fabricctl
