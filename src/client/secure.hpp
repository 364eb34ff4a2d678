// SPDX-License-Identifier: Apache-2.0
// Turning a stream into a TLS stream.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/tls_options.hpp>

#include "client/transport.hpp"

namespace compass_fabric::client {

/// Replaces `stream` by TLS over it and makes the handshake. `host` is the name that is asked for and checked. Returns
/// why it failed, explained in `text`. Closing `stream` meanwhile ends it. The arguments must live until the end.
asio::awaitable<error_code> secure(std::unique_ptr<transport>& stream, const tls_options& options,
                                   const std::string& host, std::string& text);

}  // namespace compass_fabric::client
