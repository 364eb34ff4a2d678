// SPDX-License-Identifier: Apache-2.0
// How a TCP connection to a server is made: which of its addresses, from where, with which socket buffers.
//
//   options.dial.order = address_order::ipv4_first;
//   options.dial.local_address = "10.1.2.3";
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/address_order.hpp>

namespace compass_fabric {

/// Returns the addresses (IPv4 or IPv6, without port) of a host name; called at every attempt, on the connection's
/// executor. An exception or an empty list fails the attempt.
using resolve_function = std::function<boost::asio::awaitable<std::vector<std::string>>(std::string host)>;

/// A name is resolved anew at every attempt, and all its addresses are raced (RFC 8305): the next one is started when
/// the one before failed or has not answered within `stagger`; the first that answers is used.
struct dial_options {
  address_order order = address_order::as_resolved;
  /// Head start of each address over the next; at least 10 ms.
  std::chrono::milliseconds stagger{250};
  /// The local address to connect from; empty = the system's choice. Addresses of the other family cannot be reached
  /// then.
  std::string local_address;
  /// SO_SNDBUF and SO_RCVBUF in bytes; 0 = the system's choice, which grows by itself.
  std::size_t send_buffer = 0;
  std::size_t receive_buffer = 0;
  /// Used instead of the system's resolver.
  resolve_function resolve;
};

}  // namespace compass_fabric
