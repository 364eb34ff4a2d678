// SPDX-License-Identifier: Apache-2.0
// Plain TCP.
#pragma once

#include <memory>

#include <boost/asio/ip/tcp.hpp>

#include "client/transport.hpp"

namespace compass_fabric::client {

/// Takes a connected socket and sets it to non-blocking mode.
std::unique_ptr<transport> make_tcp_transport(asio::ip::tcp::socket socket);

}  // namespace compass_fabric::client
