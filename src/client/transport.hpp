// SPDX-License-Identifier: Apache-2.0
// A byte stream to a server. The connection knows no socket type; each transport is one file.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>

#include <compass_fabric/error.hpp>

namespace compass_fabric::client {

namespace asio = boost::asio;

/// The outcome of one read or write.
struct io_result {
  error_code error;
  std::size_t bytes = 0;
};
using io_handler = asio::any_completion_handler<void(io_result)>;

/// One read and one write may be in progress at a time; the owner keeps the transport until their handlers were called
/// or destroyed. What a write did not take must be offered again, unchanged, before anything else: a transport may have
/// prepared it.
class transport {
 public:
  virtual ~transport() = default;

  virtual void async_read_some(asio::mutable_buffer buffer, io_handler handler) = 0;
  virtual void async_write_some(asio::const_buffer buffer, io_handler handler) = 0;
  /// Writes what fits without waiting; 0 bytes without an error means "not now" or "cannot without waiting".
  virtual io_result try_write(std::string_view bytes) noexcept = 0;
  /// Drops the link at once, without a farewell that a dead peer could delay. Pending operations end.
  virtual void close() noexcept = 0;
  /// Where handlers are called.
  virtual asio::any_io_executor executor() = 0;
  /// Why it failed, where there is more to say than the error code does.
  virtual std::string failure_text() const { return {}; }
};

}  // namespace compass_fabric::client
