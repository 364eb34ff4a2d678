// SPDX-License-Identifier: Apache-2.0
// streams and consumers: what exists, and what waits.
#include "commands.hpp"
#include "json_line.hpp"

#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/jetstream/context.hpp>

#include <string>

namespace fabricctl {

namespace jetstream = compass_fabric::jetstream;
using boost::asio::awaitable;

namespace {

struct waiting {
  std::uint64_t pending = 0;
  std::uint64_t ack_pending = 0;
};

jetstream::context open_context(session& s) {
  jetstream::context_options options;
  options.timeout = s.common().timeout;
  return jetstream::context(s.nc(), options);
}

awaitable<waiting> sum_of_consumers(jetstream::context js, const std::string& stream) {
  waiting sum;
  const auto consumers = co_await js.list_consumers(stream);
  for (const auto& c : consumers) {
    sum.pending += c.pending;
    sum.ack_pending += c.ack_pending;
  }
  co_return sum;
}

std::string row(const jetstream::stream_info& info, const waiting& sum, bool json) {
  const auto& state = info.state;
  const auto replicas = static_cast<std::uint64_t>(info.config.replicas.value_or(1));
  if (json) {
    json_line line;
    line.text("stream", info.config.name).number("messages", state.messages).number("bytes", state.bytes);
    line.number("first_sequence", state.first_sequence).number("last_sequence", state.last_sequence);
    line.number("replicas", replicas).number("consumers", state.consumers);
    return line.number("pending", sum.pending).number("ack_pending", sum.ack_pending).str();
  }
  return info.config.name + "\tmessages " + std::to_string(state.messages) + "\tbytes " + std::to_string(state.bytes) +
         "\treplicas " + std::to_string(replicas) + "\tconsumers " + std::to_string(state.consumers) + "\tpending " +
         std::to_string(sum.pending) + "\tack_pending " + std::to_string(sum.ack_pending);
}

std::string row(const jetstream::consumer_info& info, bool json) {
  if (json) {
    json_line line;
    line.text("stream", info.stream).text("consumer", info.name).text("subject", info.config.filter_subject);
    line.number("pending", info.pending).number("ack_pending", info.ack_pending);
    return line.number("redelivered", info.redelivered).str();
  }
  return one_line(info.config.filter_subject) + "\t" + info.name + "\tpending " + std::to_string(info.pending) +
         "\tack_pending " + std::to_string(info.ack_pending) + "\tredelivered " + std::to_string(info.redelivered);
}

}  // namespace

awaitable<int> run(session& s, const streams_arguments&) {
  auto js = open_context(s);
  const auto streams = co_await js.list_streams();
  for (const auto& info : streams) {
    const auto sum = co_await sum_of_consumers(js, info.config.name);
    s.print(row(info, sum, s.common().json));
  }
  co_return 0;
}

awaitable<int> run(session& s, const consumers_arguments&) {
  auto js = open_context(s);
  const auto consumers = co_await js.list_consumers(compass_fabric::fabric::comms_stream_name);
  for (const auto& info : consumers) s.print(row(info, s.common().json));
  co_return 0;
}

}  // namespace fabricctl
