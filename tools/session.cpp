// SPDX-License-Identifier: Apache-2.0
#include "session.hpp"

#include "context.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace fabricctl {

namespace asio = boost::asio;
using compass_fabric::connection;

session::session(connection nc, const common_options& common)
    : nc_(std::move(nc)),
      common_(common),
      signals_(nc_.get_executor(), SIGINT, SIGTERM),
      stopped_(nc_.get_executor(), asio::steady_timer::time_point::max()) {
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    signals_.clear();  // a second signal ends the process the hard way
    stop();
  });
  watch_ = nc_.on_event([this](const compass_fabric::connection_event& e) { on_event(e); });
}

void session::on_event(const compass_fabric::connection_event& e) {
  using kind = compass_fabric::event_kind;
  const bool refused = e.kind == kind::permission_denied;
  const bool ended = e.kind == kind::closed && e.error;
  if (refused || ended)
    fail(std::make_exception_ptr(compass_fabric::system_error(e.error, refused ? e.text : e.server)));
}

void session::print(std::string_view line) {
  std::string text(line);
  text += '\n';
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::runtime_error("standard output: cannot be written");
  }
}

void session::warn(std::string_view line) {
  std::fprintf(stderr, "fabricctl: %.*s\n", static_cast<int>(line.size()), line.data());
}

void session::stop() {
  stopping_ = true;
  stopped_.cancel();
}

void session::fail(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  stop();
}

asio::awaitable<void> session::wait_for_stop() {
  while (!stopping_) co_await stopped_.async_wait(asio::as_tuple(asio::use_awaitable));
  check();
}

asio::awaitable<void> session::flush() {
  co_await nc_.flush(common_.timeout);
  // Connection events have a turn of their own, which may come after that of the flush.
  co_await asio::post(nc_.get_executor(), asio::use_awaitable);
  check();
}

void session::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

namespace {

compass_fabric::credentials login_of(const common_options& common) {
  if (!common.creds.empty()) return compass_fabric::creds_file{common.creds};
  if (!common.nkey.empty()) return compass_fabric::nkey_file{common.nkey};
  if (common.user_jwt.empty()) return {};
  return compass_fabric::creds_text{"-----BEGIN NATS USER JWT-----\n" + common.user_jwt +
                                    "\n------END NATS USER JWT------\n-----BEGIN USER NKEY SEED-----\n" +
                                    common.user_seed + "\n------END USER NKEY SEED------\n"};
}

compass_fabric::connect_options connect_options_of(const common_options& common) {
  compass_fabric::connect_options options;
  options.servers.clear();
  std::istringstream list(common.server);
  for (std::string server; std::getline(list, server, ',');) options.servers.push_back(server);
  options.name = common.name;
  options.user = common.user;
  options.password = common.password;
  options.token = common.token;
  options.auth = login_of(common);
  options.tls.ca.file = common.ca;
  options.tls.certificate.file = common.cert;
  options.tls.key.file = common.key;
  if (common.tls_first) options.tls.mode = compass_fabric::tls_mode::handshake_first;
  options.proxy.url = common.proxy;
  options.echo = !common.no_echo;
  options.randomize_servers = common.randomize;
  options.use_announced_servers = !common.ignore_announced;
  options.retry_on_initial_connect = common.retry_connect;
  options.reconnect.max_attempts = common.max_reconnects;
  options.ping_interval = common.ping_interval;
  options.connect_timeout = common.timeout;
  if (!common.inbox_prefix.empty()) options.inbox_prefix = common.inbox_prefix;
  return options;
}

}  // namespace

asio::awaitable<connection> open(common_options common) {
  apply_context(common);
  const auto options = connect_options_of(common);
  co_return co_await compass_fabric::connect(options);
}

}  // namespace fabricctl
