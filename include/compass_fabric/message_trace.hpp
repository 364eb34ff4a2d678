// SPDX-License-Identifier: Apache-2.0
// Asks the servers which way a message takes: they report each stop to a subject (server 2.11 and later).
//
//   auto hops = co_await trace_route(nc, "orders.new");    // asks only: nobody gets the message
//   for (auto& h : hops) std::puts(h.raw.c_str());
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/connection.hpp>
#include <compass_fabric/headers.hpp>

namespace compass_fabric {

/// Whether a traced message is delivered.
enum class trace_mode {
  deliver,
  /// Only its way is reported.
  only,
};

/// Makes a message that carries `fields` report its way to `destination` (`Nats-Trace-Dest`, `Nats-Trace-Only`).
/// Errors: throws `invalid_subject` unless a message can be published to `destination`.
void request_trace(headers& fields, std::string_view destination, trace_mode mode = trace_mode::deliver);

/// What happened to the message at one server.
struct trace_event {
  /// `in` (received), `sm` (subject mapping), `se` and `si` (exports and imports), `js` (stored in a stream), `eg`
  /// (sent on to a client or server); further ones as servers invent them.
  std::string type;
  /// For `in` and `eg`: the connection's kind by the server's numbers (0 = client, 1 = router, 2 = gateway, 4 = leaf).
  std::int64_t kind = 0;
  std::string name;
  std::string account;
  std::string subject;
  std::string queue;
  /// For `js`.
  std::string stream;
  /// Why it went no further; empty when it did.
  std::string error;
};

/// The report of one server.
struct trace_report {
  std::string server_name;
  std::string server_id;
  std::vector<trace_event> events;
  /// How many servers it was sent on to: as many further reports will come.
  std::int64_t hops = 0;
  /// The report as it came.
  std::string raw;
};

/// Reads one report; false when `json` is none.
bool read_trace_report(std::string_view json, trace_report& out);

/// Publishes `payload` to `subject` with the request to be traced, and collects the reports until all that were
/// announced have come, or `timeout` has passed: those that came are returned.
///
/// Cancellation: any type. Errors: those of `publish`; `headers_not_supported` by old servers.
boost::asio::awaitable<std::vector<trace_report>> trace_route(
    connection nc, std::string_view subject, std::string_view payload = {}, trace_mode mode = trace_mode::only,
    std::chrono::milliseconds timeout = std::chrono::seconds(2));

}  // namespace compass_fabric
