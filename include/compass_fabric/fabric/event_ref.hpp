// SPDX-License-Identifier: Apache-2.0
// The event reference: which row of which tenant changed and how. It is all an event carries; subscribers read the row.
//
//   event_ref ref{.tenant = "tenant-a", .kind = event_kind::message_posted, .row_id = "42"};
//   encode(ref);       // {"tenant":"tenant-a","kind":"message_posted","row_id":"42"}
//   message_id(ref);   // 64 hex digits, the same in every process
#pragma once

#include <compass_fabric/fabric/event_kind.hpp>

#include <boost/system/result.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::fabric {

/// A reference to a changed row; never the row.
struct event_ref {
  /// Opaque tenant id: one subject token, UTF-8.
  std::string tenant;
  event_kind kind = event_kind::account_changed;
  /// Opaque row id: not empty, UTF-8, without NUL.
  std::string row_id;
  /// Tells two changes of one row apart; as `row_id`. Without it a second change of the same row inside the stream's
  /// duplicate window counts as a duplicate and is dropped, also when the first was handled already.
  std::optional<std::string> revision;

  bool operator==(const event_ref&) const = default;
};

/// The first rule `ref` breaks, or nothing: `invalid_token`, `unknown_kind` or `invalid_field`, with the field named.
std::optional<fault> check(const event_ref& ref);

/// The JSON payload of `ref`. Errors (thrown): those of `check`.
std::string encode(const event_ref& ref);

/// The reference in `json`, or why there is none.
///
/// It must be one JSON object with the text fields `tenant`, `kind` and `row_id`, and at most `revision` besides, each
/// at most once and each by the rules of `check`. Other fields are ignored and not validated, so that a newer
/// publisher may add one without an older subscriber parking its events.
boost::system::result<event_ref, fault> decode_event_ref(std::string_view json);

/// The id by which the stream drops duplicates: lower-case hex SHA-256 of `<n>:<tenant>|<n>:<kind>|<n>:<row_id>`, with
/// `|<n>:<revision>` behind it when there is one; `n` counts bytes, in decimal. Length prefixes keep every boundary
/// unambiguous. `ref` should have passed `check`.
std::string message_id(const event_ref& ref);

}  // namespace compass_fabric::fabric
