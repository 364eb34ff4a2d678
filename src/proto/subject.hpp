// SPDX-License-Identifier: Apache-2.0
// The subject grammar: validation, wildcard matching, and texts that name the broken rule.
//
//   if (!valid_publish_subject(s)) fail(subject_fault(s));   // "empty token at byte 4"
//   matches("orders.*", "orders.new");                       // true
//
// A subject is a run of tokens joined by dots. `*` as a whole token stands for one token, `>` as the last token for one
// or more. Inside a longer token both are ordinary bytes. Bytes from 0x80 up pass unchanged; no encoding is assumed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// The longest subject, reply, filter or queue name in bytes. The server cuts a connection whose control line holds
/// more than 4096 argument bytes; two names of this size, three blanks and two sizes of 20 digits stay below that.
inline constexpr std::size_t max_subject_size = 2000;

/// True for a subject a message can be sent to: 1 to `max_subject_size` bytes, no blank, control byte, NUL or DEL, no
/// empty token, no wildcard token.
bool valid_publish_subject(std::string_view subject) noexcept;

/// True for a subject one can subscribe to: like a publish subject, and `*` may be any token, `>` the last one.
bool valid_filter(std::string_view filter) noexcept;

/// True for a queue group name: 1 to `max_subject_size` bytes without blank, control byte, NUL or DEL.
bool valid_queue_name(std::string_view name) noexcept;

/// True for a name that may become exactly one token of a subject: a valid publish subject without any dot, `*` or `>`,
/// so that it can neither split nor widen the subject it is put into.
bool valid_token(std::string_view token) noexcept;

/// Names the rule a publish subject breaks, with the byte's position; empty for a valid one.
std::string subject_fault(std::string_view subject);

/// Names the rule a filter breaks, with the byte's position; empty for a valid one.
std::string filter_fault(std::string_view filter);

/// Names the rule a queue name breaks, with the byte's position; empty for a valid one.
std::string queue_name_fault(std::string_view name);

/// Names the rule a token breaks, with the byte's position; empty for a valid one.
std::string token_fault(std::string_view token);

/// True when a message sent to `subject` reaches a subscription on `filter`. Case matters. The subject is taken
/// literally, also where it holds `*` or `>`. False when either has an empty token.
bool matches(std::string_view filter, std::string_view subject) noexcept;

/// True when every subject that `narrower` matches is matched by `wider` too. False when either has an empty token.
bool covers(std::string_view wider, std::string_view narrower) noexcept;

/// True when at least one subject is matched by both filters. False when either has an empty token.
bool overlaps(std::string_view left, std::string_view right) noexcept;

}  // namespace compass_fabric::proto
