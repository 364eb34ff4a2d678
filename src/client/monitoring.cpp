// SPDX-License-Identifier: Apache-2.0
// The monitoring pages: fetched over HTTP, or asked for over the system account.
#include <compass_fabric/monitoring.hpp>

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "client/dialer.hpp"
#include "client/scheduler.hpp"
#include "proto/json_writer.hpp"
#include "proto/monitoring_json.hpp"

namespace compass_fabric::monitoring {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::uint64_t largest_page = 256 * 1024 * 1024;

struct page {
  unsigned status = 0;
  std::string body;
};

// Finding the address counts, too: a name server may be as silent as a server.
asio::awaitable<asio::ip::tcp::socket> dial(const http_target& server, proto::time_point until) {
  const auto executor = co_await asio::this_coro::executor;
  static const dial_options plain;
  const auto dialer = std::make_shared<client::dialer>(executor, plain);
  asio::steady_timer alarm(executor, until);
  alarm.async_wait([dialer](error_code ec) {
    if (!ec) dialer->abort(errc::timeout);
  });
  const error_code failure = co_await dialer->connect(server.host, server.port);
  if (failure) throw_error(failure, "connect");
  co_return dialer->take();
}

asio::awaitable<page> exchange(const http_target& server, const std::string& target,
                               std::chrono::milliseconds timeout) {
  const auto until = proto::deadline_after(client::scheduler::now(), timeout);
  beast::tcp_stream stream(co_await dial(server, until));
  stream.expires_at(until);
  http::request<http::empty_body> request(http::verb::get, server.base_path + target, 11);
  request.set(http::field::host, server.host);
  request.set(http::field::connection, "close");
  co_await http::async_write(stream, request, asio::use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> parser;
  parser.body_limit(largest_page);
  co_await http::async_read(stream, buffer, parser, asio::use_awaitable);
  page got;
  got.status = parser.get().result_int();
  got.body = std::move(parser.get().body());
  co_return got;
}

asio::awaitable<page> fetch(const http_target& server, const std::string& target, std::chrono::milliseconds timeout) {
  error_code failure;
  try {
    co_return co_await exchange(server, target, timeout);
  } catch (const system_error& e) {
    failure = e.code() == beast::error::timeout ? error_code(errc::timeout) : e.code();
  }
  throw_error(failure, fmt::format("http://{}:{}{}{}", server.host, server.port, server.base_path, target));
}

template <class T>
T read(const page& got, std::string_view target, bool any_status) {
  T document;
  if (!any_status && got.status != 200) throw_error(errc::server_error, fmt::format("{}: HTTP {}", target, got.status));
  if (!proto::read_page(got.body, document))
    throw_error(errc::server_error, fmt::format("{}: no JSON object with HTTP {}", target, got.status));
  return document;
}

template <class T>
std::vector<answer<T>> read_answers(const std::vector<message>& replies) {
  std::vector<answer<T>> answers;
  for (const auto& reply : replies) {
    const auto found = proto::read_system_answer(reply.payload());
    answer<T> one;
    if (!found || !proto::read_page(found->data, one.data)) continue;
    one.server_id = found->server_id;
    one.server_name = found->server_name;
    answers.push_back(std::move(one));
  }
  return answers;
}

asio::awaitable<std::vector<message>> ping(connection nc, std::string_view what, std::string_view body,
                                           ping_options options) {
  request_many_options many;
  many.timeout = options.timeout;
  many.stall = options.stall;
  many.max_replies = options.servers;
  const std::string subject = fmt::format("$SYS.REQ.SERVER.PING.{}", what);
  co_return co_await nc.request_many(subject, body, many);
}

}  // namespace

asio::awaitable<varz> read_varz(http_target server, std::chrono::milliseconds timeout) {
  const page got = co_await fetch(server, "/varz", timeout);
  co_return read<varz>(got, "/varz", false);
}

asio::awaitable<connz> read_connz(http_target server, connz_query query, std::chrono::milliseconds timeout) {
  const std::string target = fmt::format("/connz?offset={}&limit={}&subs={:d}&auth={:d}", query.offset, query.limit,
                                         query.subscriptions, query.auth);
  const page got = co_await fetch(server, target, timeout);
  co_return read<connz>(got, "/connz", false);
}

asio::awaitable<jsz> read_jsz(http_target server, std::chrono::milliseconds timeout) {
  const page got = co_await fetch(server, "/jsz?config=true", timeout);
  co_return read<jsz>(got, "/jsz", false);
}

asio::awaitable<healthz> read_healthz(http_target server, std::chrono::milliseconds timeout) {
  const page got = co_await fetch(server, "/healthz", timeout);
  auto health = read<healthz>(got, "/healthz", true);
  if (health.status_code == 0) health.status_code = got.status;
  co_return health;
}

asio::awaitable<std::vector<answer<varz>>> ping_varz(connection nc, ping_options options) {
  const auto replies = co_await ping(nc, "VARZ", "", options);
  co_return read_answers<varz>(replies);
}

asio::awaitable<std::vector<answer<connz>>> ping_connz(connection nc, connz_query query, ping_options options) {
  std::string body;
  proto::json_writer out(body);
  out.begin_object();
  out.member("offset", query.offset);
  out.member("limit", query.limit);
  out.member("subscriptions", query.subscriptions);
  out.member("auth", query.auth);
  out.end_object();
  const auto replies = co_await ping(nc, "CONNZ", body, options);
  co_return read_answers<connz>(replies);
}

asio::awaitable<std::vector<answer<jsz>>> ping_jsz(connection nc, ping_options options) {
  const auto replies = co_await ping(nc, "JSZ", R"({"config":true})", options);
  co_return read_answers<jsz>(replies);
}

asio::awaitable<std::vector<answer<healthz>>> ping_healthz(connection nc, ping_options options) {
  const auto replies = co_await ping(nc, "HEALTHZ", "", options);
  co_return read_answers<healthz>(replies);
}

}  // namespace compass_fabric::monitoring
