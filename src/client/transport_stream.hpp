// SPDX-License-Identifier: Apache-2.0
// A transport in the form that Beast's stream templates expect.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/role.hpp>

#include "client/transport.hpp"
#include "proto/flat_buffer.hpp"

namespace compass_fabric::client {

/// AsyncReadStream and AsyncWriteStream. A write gathers its buffers into one, for a transport takes one at a time and
/// a frame's header deserves no packet of its own.
class transport_stream {
 public:
  using executor_type = asio::any_io_executor;

  explicit transport_stream(std::unique_ptr<transport> below) noexcept : below_(std::move(below)) {}

  executor_type get_executor() { return below_->executor(); }
  transport& below() noexcept { return *below_; }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    asio::mutable_buffer room;
    for (auto at = asio::buffer_sequence_begin(buffers); room.size() == 0 && at != asio::buffer_sequence_end(buffers);)
      room = *at++;
    return asio::async_initiate<Token, void(error_code, std::size_t)>(reading{below_.get(), room}, token);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    gathered_.clear();
    for (auto at = asio::buffer_sequence_begin(buffers); at != asio::buffer_sequence_end(buffers); ++at) {
      const asio::const_buffer part(*at);
      gathered_.append({static_cast<const char*>(part.data()), part.size()});
    }
    const auto all = gathered_.view();
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        writing{below_.get(), asio::buffer(all.data(), all.size())}, token);
  }

 private:
  template <class Handler>
  static io_handler pass_on(Handler&& handler) {
    return io_handler([h = std::forward<Handler>(handler)](io_result r) mutable { std::move(h)(r.error, r.bytes); });
  }
  struct reading {
    transport* below;
    asio::mutable_buffer room;
    template <class Handler>
    void operator()(Handler&& handler) const {
      below->async_read_some(room, pass_on(std::forward<Handler>(handler)));
    }
  };
  struct writing {
    transport* below;
    asio::const_buffer bytes;
    template <class Handler>
    void operator()(Handler&& handler) const {
      below->async_write_some(bytes, pass_on(std::forward<Handler>(handler)));
    }
  };

  std::unique_ptr<transport> below_;
  proto::flat_buffer gathered_;
};

/// How Beast ends the stream below a WebSocket.
inline void teardown(boost::beast::role_type, transport_stream& stream, error_code& ec) {
  stream.below().close();
  ec = {};
}
template <class Handler>
void async_teardown(boost::beast::role_type, transport_stream& stream, Handler&& handler) {
  stream.below().close();
  asio::post(stream.get_executor(), [h = std::forward<Handler>(handler)]() mutable { std::move(h)(error_code()); });
}
inline void beast_close_socket(transport_stream& stream) { stream.below().close(); }

}  // namespace compass_fabric::client
