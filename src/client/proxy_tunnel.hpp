// SPDX-License-Identifier: Apache-2.0
// Having a proxy pass a stream on to a server.
#pragma once

#include <string>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/proxy_options.hpp>

#include "client/transport.hpp"
#include "proto/proxy_handshake.hpp"
#include "proto/server_url.hpp"

namespace compass_fabric::client {

/// Talks to `proxy`, to which `stream` is connected, until it leads to `server`. Returns why it failed, explained in
/// `text`. The arguments must live until the end.
asio::awaitable<error_code> open_tunnel(transport& stream, const proxy_options& options,
                                        const proto::proxy_address& proxy, const proto::server_url& server,
                                        std::string& text);

}  // namespace compass_fabric::client
