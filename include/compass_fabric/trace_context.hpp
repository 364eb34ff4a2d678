// SPDX-License-Identifier: Apache-2.0
// W3C trace context: which trace a message belongs to, in the headers `traceparent` and `tracestate`.
//
//   headers fields;
//   inject(context, fields);                       // before publishing
//   if (auto parent = extract(m.headers())) ...    // when receiving
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <compass_fabric/headers.hpp>

namespace compass_fabric {

/// A position in a trace. A default-constructed one is invalid, and is never written.
struct trace_context {
  /// Not all zero in a valid context.
  std::array<std::byte, 16> trace_id{};
  std::array<std::byte, 8> span_id{};
  /// Bit 0: sampled.
  unsigned char flags = 0;
  /// What tracing systems add, as `key=value,key=value`; passed on unread.
  std::string state;

  bool valid() const noexcept;
  bool sampled() const noexcept { return (flags & 1U) != 0; }
  friend bool operator==(const trace_context&, const trace_context&) = default;
};

/// `00-<trace id>-<span id>-<flags>` in lower-case hex. Source: W3C Trace Context, version 00.
std::string to_traceparent(const trace_context& context);
/// Reads a `traceparent`; nothing when it is not well formed. Of later versions the known part is read.
std::optional<trace_context> parse_traceparent(std::string_view text);

/// Writes `context` into `fields` in place of any other; an invalid one removes both fields.
/// Errors: throws `invalid_header` when `state` cannot be a header value.
void inject(const trace_context& context, headers& fields);
/// The context a message carries, header names in any case; nothing when it has none or a malformed one.
std::optional<trace_context> extract(const headers_view& fields);

}  // namespace compass_fabric
