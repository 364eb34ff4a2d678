// SPDX-License-Identifier: Apache-2.0
#include "fabric/advisory.hpp"

#include <compass_fabric/fabric/config.hpp>

#include <simdjson.h>

namespace compass_fabric::fabric {

std::string max_deliveries_subject(std::string_view durable) {
  std::string subject = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.";
  return subject.append(comms_stream_name).append(".").append(durable);
}

std::optional<max_deliveries_advisory> parse_max_deliveries(std::string_view json) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(json);
  simdjson::ondemand::document document;
  max_deliveries_advisory found;
  if (parser.iterate(padded).get(document)) return std::nullopt;
  if (document["stream_seq"].get_uint64().get(found.stream_sequence)) return std::nullopt;
  if (document["deliveries"].get_uint64().get(found.deliveries)) return std::nullopt;
  return found;
}

}  // namespace compass_fabric::fabric
