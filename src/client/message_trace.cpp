// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/message_trace.hpp>

#include <compass_fabric/async.hpp>

#include <algorithm>
#include <utility>

#include "client/scheduler.hpp"
#include "proto/subject.hpp"
#include "proto/trace_json.hpp"

namespace compass_fabric {
namespace {

// More than any report names in truth.
constexpr std::int64_t most_hops = 10'000;

}  // namespace

void request_trace(headers& fields, std::string_view destination, trace_mode mode) {
  if (!proto::valid_publish_subject(destination)) throw_error(errc::invalid_subject, "trace destination");
  fields.set("Nats-Trace-Dest", destination);
  fields.erase("Nats-Trace-Only");
  if (mode == trace_mode::only) fields.set("Nats-Trace-Only", "true");
}

bool read_trace_report(std::string_view json, trace_report& out) {
  proto::traced_stop stop;
  if (!proto::read_trace(json, stop)) return false;
  out.server_name = std::move(stop.server_name);
  out.server_id = std::move(stop.server_id);
  out.hops = stop.hops;
  out.raw = json;
  out.events.clear();
  for (auto& s : stop.steps) {
    trace_event event;
    event.type = std::move(s.type);
    event.kind = s.kind;
    event.name = std::move(s.name);
    event.account = std::move(s.account);
    event.subject = std::move(s.subject);
    event.queue = std::move(s.queue);
    event.stream = std::move(s.stream);
    event.error = std::move(s.error);
    out.events.push_back(std::move(event));
  }
  return true;
}

boost::asio::awaitable<std::vector<trace_report>> trace_route(connection nc, std::string_view subject,
                                                              std::string_view payload, trace_mode mode,
                                                              std::chrono::milliseconds timeout) {
  const auto until = proto::deadline_after(client::scheduler::now(), timeout);
  const std::string inbox = nc.new_inbox();
  subscription reports = nc.subscribe(inbox);
  headers fields;
  request_trace(fields, inbox, mode);
  publish_options options;
  options.fields = &fields;
  co_await nc.publish(subject, payload, options);
  std::vector<trace_report> found;
  std::int64_t expected = 1;
  while (std::cmp_less(found.size(), expected)) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - client::scheduler::now());
    auto next = co_await as_result(reports.next(left));
    if (next.has_error() && next.error() == errc::timeout) break;
    const message m = std::move(next).value();
    trace_report report;
    if (!read_trace_report(m.payload(), report)) continue;
    expected += std::clamp<std::int64_t>(report.hops, 0, most_hops);
    found.push_back(std::move(report));
  }
  co_return found;
}

}  // namespace compass_fabric
