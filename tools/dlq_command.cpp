// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "json_line.hpp"

#include <compass_fabric/fabric/dead_letter.hpp>
#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/message.hpp>

#include <string>

namespace fabricctl {

namespace fabric = compass_fabric::fabric;

namespace {

void show(session& s, const compass_fabric::message_view& m) {
  const auto subject = m.headers().get(fabric::original_subject_header).value_or("");
  const auto reason = m.headers().get(fabric::park_reason_header).value_or("");
  if (s.common().json) {
    json_line line;
    s.print(line.text("subject", subject).text("reason", reason).bytes("payload", m.payload).str());
  } else {
    s.print(one_line(subject) + "\t" + one_line(reason) + "\t" + one_line(m.payload));
  }
}

}  // namespace

boost::asio::awaitable<int> run(session& s, const dlq_arguments& a) {
  std::uint64_t seen = 0;
  const auto take = [&](const compass_fabric::message_view& m) {
    if (a.count && seen == *a.count) return;
    try {
      show(s, m);
    } catch (...) {
      return s.fail(std::current_exception());
    }
    if (a.count && ++seen == *a.count) s.stop();
  };
  auto sub = s.nc().subscribe(fabric::dlq_subject, take);
  co_await s.wait_for_stop();
  co_await sub.drain(s.common().timeout);
  co_return 0;
}

}  // namespace fabricctl
