// SPDX-License-Identifier: Apache-2.0
#include "fabric/concrete_consumers.hpp"

#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/subject.hpp>

namespace compass_fabric::fabric {

boost::asio::awaitable<std::vector<std::string>> find_concrete_consumers(jetstream::context js, event_kind kind) {
  std::vector<std::string> subjects;
  const auto consumers = co_await js.list_consumers(comms_stream_name);
  for (const auto& consumer : consumers) {
    const auto subject = comms_subject::parse(consumer.config.filter_subject);
    if (subject && subject->kind() == kind) subjects.push_back(subject->str());
  }
  co_return subjects;
}

}  // namespace compass_fabric::fabric
