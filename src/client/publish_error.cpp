// SPDX-License-Identifier: Apache-2.0
#include "client/publish_error.hpp"

#include <fmt/format.h>

#include "client/connection_core.hpp"
#include "proto/header_block.hpp"
#include "proto/subject.hpp"

namespace compass_fabric::client {
namespace {

std::string subject_text(std::string_view subject, const publish_options& options) {
  const auto fault = proto::subject_fault(subject);
  if (!fault.empty()) return fmt::format("publish to {:?}: {}", subject, fault);
  return fmt::format("reply {:?}: {}", options.reply, proto::subject_fault(options.reply));
}

}  // namespace

void throw_publish_error(error_code ec, connection_core& core, std::string_view subject, std::string_view payload,
                         const publish_options& options) {
  if (ec == errc::invalid_subject) throw_error(ec, subject_text(subject, options));
  if (ec == errc::max_payload_exceeded) {
    const std::size_t header_size =
        options.fields != nullptr && !options.fields->empty()
            ? proto::encoded_size(proto::header_fields(options.fields->begin(), options.fields->end()))
            : 0;
    throw_error(ec, fmt::format("publish to {:?}: {} header bytes and {} payload bytes, max_payload is {}", subject,
                                header_size, payload.size(), core.out().max_payload()));
  }
  throw_error(ec, fmt::format("publish to {:?}", subject));
}

}  // namespace compass_fabric::client
