// SPDX-License-Identifier: Apache-2.0
// Awaiting a transport: one value as the outcome, nothing thrown.
//
//   const io_result r = co_await read_some(stream, buffer);
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>

#include "client/transport.hpp"

namespace compass_fabric::client {

struct read_initiation {
  transport* stream;
  asio::mutable_buffer buffer;
  void operator()(io_handler handler) const { stream->async_read_some(buffer, std::move(handler)); }
};

struct write_initiation {
  transport* stream;
  asio::const_buffer buffer;
  void operator()(io_handler handler) const { stream->async_write_some(buffer, std::move(handler)); }
};

inline auto read_some(transport& stream, asio::mutable_buffer buffer) {
  return asio::async_initiate<const asio::deferred_t&, void(io_result)>(read_initiation{&stream, buffer},
                                                                        asio::deferred);
}

inline auto write_some(transport& stream, asio::const_buffer buffer) {
  return asio::async_initiate<const asio::deferred_t&, void(io_result)>(write_initiation{&stream, buffer},
                                                                        asio::deferred);
}

}  // namespace compass_fabric::client
