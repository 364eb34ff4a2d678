// SPDX-License-Identifier: Apache-2.0
#include "child_process.hpp"
#include "commands.hpp"
#include "json_line.hpp"

#include <compass_fabric/fabric/event_fabric.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace fabricctl {

namespace fabric = compass_fabric::fabric;
using boost::asio::awaitable;

namespace {

void show(session& s, const fabric::event& e) {
  if (!s.common().json) return s.print(encode(e.ref));
  json_line line;
  line.text("tenant", e.ref.tenant).text("kind", to_string(e.ref.kind)).text("row_id", e.ref.row_id);
  if (e.ref.revision) line.text("revision", *e.ref.revision);
  line.number("sequence", e.stream_sequence.value_or(0)).number("attempt", e.num_delivered.value_or(0));
  s.print(line.str());
}

std::vector<std::string> variables_of(const fabric::event_ref& ref) {
  std::vector<std::string> variables{"TENANT=" + ref.tenant, "KIND=" + std::string(to_string(ref.kind)),
                                     "ROW_ID=" + ref.row_id, "REVISION=" + ref.revision.value_or("")};
  return variables;
}

/// Handles the events of one run; throwing from it is a failed attempt.
struct consumer {
  session& s;
  const consume_arguments& a;
  std::uint64_t handled = 0;

  awaitable<void> handle(const fabric::event& e) {
    if (!a.command.empty()) {
      const auto input = encode(e.ref) + "\n";
      const auto variables = variables_of(e.ref);
      const int status = co_await run_shell(a.command, input, variables);
      if (status != 0) throw std::runtime_error("exit status " + std::to_string(status));
    }
    print(e);
    if (a.count && ++handled == *a.count) s.stop();
  }

  void print(const fabric::event& e) {
    try {
      show(s, e);
    } catch (...) {
      s.fail(std::current_exception());  // the output is gone: the event is not handled, and none after it
      throw;
    }
  }
};

fabric::event_subscription subscribe(fabric::event_fabric& events, const consume_arguments& a, fabric::handler h) {
  const auto kind = fabric::parse_event_kind(a.kind);
  if (!kind) fabric::throw_fault(fabric::unknown_kind_fault());
  fabric::delivery_options options;
  if (a.count) options.prefetch = static_cast<std::size_t>(std::min<std::uint64_t>(options.prefetch, *a.count));
  return a.tenant ? events.subscribe(*a.tenant, *kind, std::move(h), options)
                  : events.subscribe_kind(*kind, std::move(h), options);
}

void summarize(session& s, const fabric::delivery_stats& stats) {
  s.warn("handled " + std::to_string(stats.handled) + ", redelivered " + std::to_string(stats.redelivered) +
         ", failed " + std::to_string(stats.failed) + ", parked " + std::to_string(stats.parked) + ", handed back " +
         std::to_string(stats.handed_back));
}

}  // namespace

awaitable<int> run(session& s, const consume_arguments& a) {
  const auto warn = [&](const fabric::fabric_event& e) { s.warn(one_line(to_string(e))); };
  fabric::event_fabric events(s.nc(), a.settings, warn);
  consumer c{s, a};
  auto sub = subscribe(events, a, [&c](const fabric::event& e) { return c.handle(e); });
  co_await sub.ready();
  std::exception_ptr failure;
  try {
    co_await s.wait_for_stop();
  } catch (...) {
    failure = std::current_exception();
  }
  co_await sub.stop(s.common().timeout);
  summarize(s, sub.stats());
  if (failure) std::rethrow_exception(failure);
  co_return 0;
}

}  // namespace fabricctl
