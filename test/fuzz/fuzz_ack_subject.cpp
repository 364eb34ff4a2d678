// SPDX-License-Identifier: Apache-2.0
// Any text can be tried as an acknowledgement subject; what is read from one lies inside it and writes it again.
#include "jetstream/ack_subject.hpp"
#include "require.hpp"

#include <string>

using compass_fabric::testing::require;
namespace js = compass_fabric::jetstream;

namespace {

bool inside(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

std::string written(const js::metadata& m) {
  return std::string(m.stream) + '.' + std::string(m.consumer) + '.' + std::to_string(m.delivered) + '.' +
         std::to_string(m.stream_sequence) + '.' + std::to_string(m.consumer_sequence) + '.' +
         std::to_string(m.time.time_since_epoch().count()) + '.' + std::to_string(m.pending);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto subject = compass_fabric::testing::as_text(data, size);
  const auto found = js::parse_ack_subject(subject);
  if (!found) return 0;
  require(!found->stream.empty() && !found->consumer.empty());
  require(inside(found->stream, subject) && inside(found->consumer, subject) && inside(found->domain, subject));
  const auto text = "$JS.ACK." + written(*found);  // metadata are views into it
  const auto again = js::parse_ack_subject(text);
  require(again && again->stream == found->stream && again->consumer == found->consumer);
  require(again->stream_sequence == found->stream_sequence && again->pending == found->pending);
  return 0;
}
