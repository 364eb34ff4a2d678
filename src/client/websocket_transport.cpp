// SPDX-License-Identifier: Apache-2.0
#include "client/websocket_transport.hpp"

#include <fmt/format.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>

#include "client/option_check.hpp"
#include "client/transport_stream.hpp"

namespace compass_fabric::client {
namespace {

namespace websocket = boost::beast::websocket;
constexpr auto nothrow = asio::as_tuple(asio::use_awaitable);

// A server refuses to decompress messages larger than its max_payload, so none may grow with what waits.
constexpr std::size_t largest_message = 64 * 1024;

// A user's function may fail; that costs the attempt.
bool add_made_fields(const websocket_options& options, http_fields& fields, std::string& text) {
  if (!options.make_headers) return true;
  try {
    const auto made = options.make_headers();
    if (!valid_http_fields(made)) text = "websocket.make_headers returned what is no HTTP field";
    fields.insert(fields.end(), made.begin(), made.end());
  } catch (const std::exception& e) {
    text = std::string("websocket.make_headers failed: ") + e.what();
  } catch (...) {
    text = "websocket.make_headers failed";
  }
  return text.empty();
}

class websocket_transport final : public transport {
 public:
  explicit websocket_transport(std::unique_ptr<transport> below) : stream_(std::move(below)) {
    stream_.binary(true);
    stream_.auto_fragment(false);
    stream_.write_buffer_bytes(largest_message);
    stream_.read_message_max(0);  // messages are read in pieces
  }

  // Requests the upgrade. A refusal's status is in `text`.
  asio::awaitable<error_code> handshake(const proto::server_url& server, const websocket_options& options,
                                        std::string& text) {
    websocket::permessage_deflate deflate;
    deflate.client_enable = options.compression;
    deflate.server_enable = false;
    deflate.client_no_context_takeover = true;  // what nats-server does in any case
    deflate.server_no_context_takeover = true;
    stream_.set_option(deflate);
    http_fields fields = options.headers;
    if (!add_made_fields(options, fields, text)) co_return errc::websocket_failed;
    stream_.set_option(websocket::stream_base::decorator([fields](websocket::request_type& request) {
      for (const auto& [name, value] : fields) request.set(name, value);
    }));
    websocket::response_type response;
    const std::string host = proto::authority(server);
    const std::string path = options.path.empty() ? "/" : options.path;
    const std::string target = server.target.empty() ? path : server.target;
    const auto [failure] = co_await stream_.async_handshake(response, host, target, nothrow);
    if (failure == websocket::error::upgrade_declined) {
      text = fmt::format("WebSocket upgrade answered with HTTP {} {}", response.result_int(),
                         std::string_view(response.reason()));
      co_return errc::websocket_failed;
    }
    co_return own(failure, text);
  }

  // Beast may report bytes and the stream's end in one, as when it decompresses; later operations are then told that
  // they were cancelled instead of why it ended.
  void async_read_some(asio::mutable_buffer buffer, io_handler handler) override {
    if (ended_) {
      const io_result result{own(ended_, text_), 0};
      asio::post(stream_.get_executor(), [result, h = std::move(handler)]() mutable { std::move(h)(result); });
      return;
    }
    stream_.async_read_some(buffer, [this, buffer, h = std::move(handler)](error_code ec, std::size_t n) mutable {
      if (!ec && n == 0) {  // an empty message
        async_read_some(buffer, std::move(h));
        return;
      }
      if (n != 0) ended_ = ec;
      std::move(h)(io_result{n != 0 ? error_code() : own(ec, text_), n});
    });
  }

  void async_write_some(asio::const_buffer buffer, io_handler handler) override {
    const auto message = asio::buffer(buffer, largest_message);
    stream_.async_write(message,
                        [this, size = message.size(), h = std::move(handler)](error_code ec, std::size_t) mutable {
                          std::move(h)(io_result{own(ec && ended_ ? ended_ : ec, text_), ec ? 0 : size});
                        });
  }

  io_result try_write(std::string_view) noexcept override { return {}; }
  void close() noexcept override { stream_.next_layer().below().close(); }
  asio::any_io_executor executor() override { return stream_.get_executor(); }
  std::string failure_text() const override { return text_.empty() ? below().failure_text() : text_; }

 private:
  const transport& below() const { return const_cast<websocket_transport*>(this)->stream_.next_layer().below(); }

  // Beast's own errors become ours; those of the stream below stay.
  error_code own(error_code ec, std::string& text) {
    if (ec == websocket::error::closed) {
      const auto& reason = stream_.reason();
      text = fmt::format("closed by the server with {} {}", static_cast<int>(reason.code),
                         std::string_view(reason.reason.data(), reason.reason.size()));
      const bool orderly = reason.code == websocket::close_code::normal || reason.code == websocket::close_code::none;
      return orderly ? error_code(asio::error::eof) : error_code(errc::websocket_failed);
    }
    if (!ec || ec.category() == asio::error::get_system_category() || ec == asio::error::eof ||
        ec.category() == nats_category())
      return ec;
    text = "WebSocket: " + ec.message();
    return errc::websocket_failed;
  }

  websocket::stream<transport_stream> stream_;
  std::string text_;
  error_code ended_;  // came together with bytes, and is the reason of all that follows
};

}  // namespace

asio::awaitable<error_code> upgrade_to_websocket(std::unique_ptr<transport>& stream, const proto::server_url& server,
                                                 const websocket_options& options, std::string& text) {
  auto made = std::make_unique<websocket_transport>(std::move(stream));
  websocket_transport& socket = *made;
  stream = std::move(made);
  const error_code failure = co_await socket.handshake(server, options, text);
  co_return failure;
}

}  // namespace compass_fabric::client
