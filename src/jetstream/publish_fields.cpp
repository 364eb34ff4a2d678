// SPDX-License-Identifier: Apache-2.0
#include "jetstream/publish_fields.hpp"

#include <string>

#include <compass_fabric/jetstream/error.hpp>

namespace compass_fabric::jetstream {

namespace {

void set_text(headers& fields, std::string_view name, std::string_view value) {
  if (!value.empty()) fields.set(name, value);
}

void set_number(headers& fields, std::string_view name, std::optional<std::uint64_t> value) {
  if (value) fields.set(name, std::to_string(*value));
}

}  // namespace

headers publish_fields(const publish_options& options) {
  headers fields;
  if (options.fields != nullptr) fields = *options.fields;
  set_text(fields, "Nats-Msg-Id", options.message_id);
  set_text(fields, "Nats-Expected-Stream", options.expected_stream);
  set_text(fields, "Nats-Expected-Last-Msg-Id", options.expected_last_message_id);
  set_number(fields, "Nats-Expected-Last-Sequence", options.expected_last_sequence);
  set_number(fields, "Nats-Expected-Last-Subject-Sequence", options.expected_last_subject_sequence);
  return fields;
}

void check_retry(const publish_retry& retry, std::string_view where) {
  const bool ok = retry.ack_timeout.count() > 0 && retry.budget.count() > 0 && retry.initial_delay.count() > 0 &&
                  retry.max_delay >= retry.initial_delay;
  if (!ok) throw_error(errc::invalid_option, where);
}

}  // namespace compass_fabric::jetstream
