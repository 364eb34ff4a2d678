// SPDX-License-Identifier: Apache-2.0
#include "client/proxy_tunnel.hpp"

#include <array>

#include <boost/asio/ip/address.hpp>

#include "client/transport_io.hpp"

namespace compass_fabric::client {
namespace {

std::string address_bytes(const std::string& host) {
  error_code no_address;
  const auto address = asio::ip::make_address(host, no_address);
  if (no_address) return {};
  if (address.is_v4()) {
    const auto bytes = address.to_v4().to_bytes();
    return {bytes.begin(), bytes.end()};
  }
  const auto bytes = address.to_v6().to_bytes();
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<proto::proxy_handshake> begin(const proxy_options& options, proto::proxy_address proxy,
                                              const proto::server_url& server) {
  if (proxy.user.empty()) {
    proxy.user = options.user;
    proxy.password = options.password;
  }
  return proto::start_proxy_handshake(proxy, {server.host, server.port, address_bytes(server.host)});
}

asio::awaitable<error_code> send(transport& stream, std::string_view bytes) {
  while (!bytes.empty()) {
    const io_result sent = co_await write_some(stream, asio::buffer(bytes.data(), bytes.size()));
    if (sent.error) co_return sent.error;
    bytes.remove_prefix(sent.bytes);
  }
  co_return error_code{};
}

}  // namespace

asio::awaitable<error_code> open_tunnel(transport& stream, const proxy_options& options,
                                        const proto::proxy_address& proxy, const proto::server_url& server,
                                        std::string& text) {
  const auto talk = begin(options, proxy, server);
  std::array<char, 512> buffer;
  while (talk->status() == proto::proxy_status::talking) {
    const secret words = talk->take_output();
    const error_code unsent = co_await send(stream, words.view());
    if (unsent) co_return unsent;
    const io_result got =
        co_await read_some(stream, asio::buffer(buffer.data(), std::min(buffer.size(), talk->wanted())));
    if (got.error) {
      text = "the proxy " + proxy.host + " ended the conversation";
      co_return got.error;
    }
    talk->feed({buffer.data(), got.bytes});
  }
  if (talk->status() == proto::proxy_status::done) co_return error_code{};
  text = talk->fault();
  co_return errc::proxy_failed;
}

}  // namespace compass_fabric::client
