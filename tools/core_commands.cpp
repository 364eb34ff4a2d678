// SPDX-License-Identifier: Apache-2.0
// pub, sub, request, reply: plain core NATS.
#include "commands.hpp"
#include "json_line.hpp"

#include <compass_fabric/headers.hpp>
#include <compass_fabric/message.hpp>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace fabricctl {

using boost::asio::awaitable;
using compass_fabric::message_view;

namespace {

std::string read_standard_input() {
  std::string text;
  char block[65536];
  while (const auto size = std::fread(block, 1, sizeof block, stdin)) text.append(block, size);
  return text;
}

compass_fabric::headers parse_fields(const std::vector<std::string>& fields) {
  compass_fabric::headers parsed;
  for (const auto& field : fields) {
    const auto colon = field.find(':');
    if (colon == field.npos) throw std::runtime_error("-H '" + field + "': not of the form 'Name: value'");
    parsed.add(field.substr(0, colon), field.substr(colon + 1));
  }
  return parsed;
}

void show(session& s, const message_view& m) {
  if (!s.common().json) return s.print(one_line(m.subject) + "\t" + one_line(m.payload));
  json_line line;
  line.text("subject", m.subject);
  if (!m.reply.empty()) line.text("reply", m.reply);
  s.print(line.fields("headers", m.headers()).bytes("payload", m.payload).str());
}

/// Passes every message to `each` until `count`, a signal or an error; then takes what the server sent before it knew.
template <class Each>
awaitable<void> receive(session& s, std::string_view subject, std::string_view queue,
                        std::optional<std::uint64_t> count, Each each) {
  std::uint64_t seen = 0;
  const auto take = [&](const message_view& m) {
    if (count && seen == *count) return;
    try {
      each(m);
    } catch (...) {
      return s.fail(std::current_exception());
    }
    if (count && ++seen == *count) s.stop();
  };
  compass_fabric::subscribe_options options;
  options.queue = queue;
  auto sub = s.nc().subscribe(subject, take, options);
  co_await s.wait_for_stop();
  co_await sub.drain(s.common().timeout);
}

}  // namespace

awaitable<int> run(session& s, const pub_arguments& a) {
  const auto payload = a.payload == "-" ? read_standard_input() : a.payload;
  const auto fields = parse_fields(a.fields);
  compass_fabric::publish_options options;
  options.reply = a.reply;
  if (!fields.empty()) options.fields = &fields;
  for (std::uint64_t n = 0; n != a.count; ++n) co_await s.nc().publish(a.subject, payload, options);
  co_await s.flush();
  json_line line;
  const auto text = "published " + std::to_string(a.count) + " to " + a.subject;
  s.print(s.common().json ? line.text("subject", a.subject).number("count", a.count).str() : text);
  co_return 0;
}

awaitable<int> run(session& s, const sub_arguments& a) {
  const auto print = [&](const message_view& m) { show(s, m); };
  auto reception = receive(s, a.subject, a.queue, a.count, print);
  co_await std::move(reception);
  co_return 0;
}

awaitable<int> run(session& s, const request_arguments& a) {
  compass_fabric::request_options options;
  options.timeout = s.common().timeout;
  const auto reply = co_await s.nc().request(a.subject, a.payload, options);
  if (s.common().json) {
    show(s, reply.view());
  } else {
    s.print(one_line(reply.payload()));
  }
  co_return 0;
}

awaitable<int> run(session& s, const reply_arguments& a) {
  const auto answer = [&](const message_view& m) {
    show(s, m);
    if (m.reply.empty()) return;
    if (const auto error = s.nc().try_publish(m.reply, a.payload)) compass_fabric::throw_error(error, m.reply);
  };
  auto reception = receive(s, a.subject, "", a.count, answer);
  co_await std::move(reception);
  co_return 0;
}

}  // namespace fabricctl
