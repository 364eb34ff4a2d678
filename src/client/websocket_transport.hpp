// SPDX-License-Identifier: Apache-2.0
// WebSocket over any other transport.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/websocket_options.hpp>

#include "client/transport.hpp"
#include "proto/server_url.hpp"

namespace compass_fabric::client {

/// Replaces `stream` by a WebSocket over it and makes the upgrade that `server` and `options` ask for. Returns why it
/// failed, explained in `text`. Closing `stream` meanwhile ends it. The arguments must live until the end.
asio::awaitable<error_code> upgrade_to_websocket(std::unique_ptr<transport>& stream, const proto::server_url& server,
                                                 const websocket_options& options, std::string& text);

}  // namespace compass_fabric::client
