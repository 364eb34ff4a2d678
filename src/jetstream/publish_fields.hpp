// SPDX-License-Identifier: Apache-2.0
// The header fields that carry a publish's identity and conditions.
#pragma once

#include <compass_fabric/headers.hpp>
#include <compass_fabric/jetstream/publish_options.hpp>

namespace compass_fabric::jetstream {

/// The caller's fields and those of the options. Errors: throws `invalid_header` for a text that no field can carry.
headers publish_fields(const publish_options& options);

/// Throws `errc::invalid_option` naming `where` unless all durations make sense.
void check_retry(const publish_retry& retry, std::string_view where);

}  // namespace compass_fabric::jetstream
