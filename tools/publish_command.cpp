// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "json_line.hpp"
#include "line_reader.hpp"

#include <compass_fabric/fabric/event_fabric.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace fabricctl {

namespace fabric = compass_fabric::fabric;
using boost::asio::awaitable;

namespace {

struct totals {
  std::uint64_t published = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t failed = 0;
};

fabric::event_ref reference(const publish_arguments& a) {
  const auto kind = fabric::parse_event_kind(a.kind);
  if (!kind) fabric::throw_fault(fabric::unknown_kind_fault());
  return {a.tenant, *kind, a.row, a.revision};
}

awaitable<int> publish_one(session& s, fabric::event_fabric& events, const fabric::event_ref& ref) {
  const auto ack = co_await events.publish(ref);
  if (s.common().json) {
    json_line line;
    line.text("stream", ack.stream).number("sequence", ack.sequence).boolean("duplicate", ack.duplicate);
    s.print(line.str());
  } else {
    s.print(ack.stream + " " + std::to_string(ack.sequence) + (ack.duplicate ? " duplicate" : " stored"));
  }
  co_return 0;
}

/// The references of `lines`; `numbers` holds the line each came from. A line that is none is reported and counted.
std::vector<fabric::event_ref> decode(session& s, const std::vector<std::string>& lines, std::uint64_t first,
                                      std::vector<std::uint64_t>& numbers, totals& sum) {
  std::vector<fabric::event_ref> refs;
  for (std::size_t n = 0; n != lines.size(); ++n) {
    if (lines[n].find_first_not_of(" \t\r") == std::string::npos) continue;
    auto decoded = fabric::decode_event_ref(lines[n]);
    if (decoded) {
      refs.push_back(std::move(*decoded));
      numbers.push_back(first + n);
    } else {
      ++sum.failed;
      s.warn("line " + std::to_string(first + n) + ": " + decoded.error().text);
    }
  }
  return refs;
}

void count(session& s, const compass_fabric::jetstream::publish_outcome& outcome, std::uint64_t number, totals& sum) {
  if (!outcome.error) {
    ++(outcome.ack.duplicate ? sum.duplicates : sum.published);
    return;
  }
  ++sum.failed;
  const auto& why = outcome.description.empty() ? outcome.error.message() : outcome.description;
  s.warn("line " + std::to_string(number) + ": " + one_line(why));
}

void summarize(session& s, const totals& sum) {
  if (s.common().json) {
    json_line line;
    line.number("published", sum.published).number("duplicates", sum.duplicates).number("failed", sum.failed);
    s.print(line.str());
  } else {
    s.print("published " + std::to_string(sum.published) + ", duplicates " + std::to_string(sum.duplicates) +
            ", failed " + std::to_string(sum.failed));
  }
}

awaitable<int> publish_file(session& s, fabric::event_fabric& events, const std::string& path) {
  line_reader input(s.nc().get_executor(), path);
  totals sum;
  std::uint64_t first = 1;
  while (!s.stopping()) {
    const auto lines = co_await input.next();
    if (lines.empty()) break;
    std::vector<std::uint64_t> numbers;
    const auto refs = decode(s, lines, first, numbers, sum);
    const auto outcomes = co_await events.publish_all(refs);
    for (const auto& outcome : outcomes) count(s, outcome, numbers[outcome.tag], sum);
    first += lines.size();
  }
  summarize(s, sum);
  co_return sum.failed == 0 ? 0 : 1;
}

}  // namespace

awaitable<int> run(session& s, const publish_arguments& a) {
  fabric::event_fabric events(s.nc());
  if (a.from) co_return co_await publish_file(s, events, *a.from);
  const auto ref = reference(a);
  co_return co_await publish_one(s, events, ref);
}

}  // namespace fabricctl
