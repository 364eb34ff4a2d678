// SPDX-License-Identifier: Apache-2.0
// The acknowledgement subject of a delivery: where it came from, in one subject. Two forms exist:
//
//   $JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time ns>.<pending>                     9
//   tokens $JS.ACK.<domain or _>.<account hash>.<stream>.<consumer>.<delivered>. ... .<pending>[.<more>]      11 tokens
//   or more
#pragma once

#include <optional>
#include <string_view>

#include <compass_fabric/jetstream/message.hpp>

namespace compass_fabric::jetstream {

/// What `subject` tells, as views into it; nothing when it has neither form.
std::optional<metadata> parse_ack_subject(std::string_view subject) noexcept;

}  // namespace compass_fabric::jetstream
