// SPDX-License-Identifier: Apache-2.0
// Client operations to bytes. Arguments are valid already: the API edge checks them once.
#pragma once

#include <cstdint>
#include <string_view>

#include "proto/flat_buffer.hpp"

namespace compass_fabric::proto {

/// One publish; empty reply and empty header block mean "none".
struct publish_command {
  std::string_view subject;
  std::string_view reply;
  std::string_view payload;
};

/// `PUB subject [reply] n`, with the payload.
void append_publish(flat_buffer& out, const publish_command& command);
/// Starts `HPUB subject [reply] h n`; returns the place for `header_size` bytes of header block. The caller fills it;
/// the payload is in place behind it.
char* append_publish_with_headers(flat_buffer& out, const publish_command& command, std::size_t header_size);
void append_subscribe(flat_buffer& out, std::string_view subject, std::string_view queue, std::uint64_t sid);
/// `max` 0 = now.
void append_unsubscribe(flat_buffer& out, std::uint64_t sid, std::uint64_t max);
inline void append_ping(flat_buffer& out) { out.append("PING\r\n"); }
inline void append_pong(flat_buffer& out) { out.append("PONG\r\n"); }

}  // namespace compass_fabric::proto
