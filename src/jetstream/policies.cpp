// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/policies.hpp>

#include "jetstream/enum_texts.hpp"

namespace compass_fabric::jetstream {

const char* to_string(retention_policy value) noexcept { return enum_text(value); }
const char* to_string(storage_type value) noexcept { return enum_text(value); }
const char* to_string(discard_policy value) noexcept { return enum_text(value); }
const char* to_string(store_compression value) noexcept { return enum_text(value); }
const char* to_string(deliver_policy value) noexcept { return enum_text(value); }
const char* to_string(ack_policy value) noexcept { return enum_text(value); }
const char* to_string(replay_policy value) noexcept { return enum_text(value); }
const char* to_string(priority_policy value) noexcept { return enum_text(value); }

}  // namespace compass_fabric::jetstream
