// SPDX-License-Identifier: Apache-2.0
#include "client/authenticator.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include "client/login.hpp"

namespace compass_fabric::client {
namespace {

std::string text_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "unknown exception";
  }
}

}  // namespace

/// A callback at work. It owns the callback, which may outlive the connection until it notices its cancellation.
struct authenticator::question {
  explicit question(async_auth_function f) : ask(std::move(f)) {}
  async_auth_function ask;
  asio::cancellation_signal cancel;
  waiter_list waiting;
  credentials answer;
  std::exception_ptr failure;
};

error_code authenticator::refuse(std::string why) {
  fault_ = std::move(why);
  return errc::invalid_credentials;
}

error_code authenticator::add(proto::connect_fields& fields, const credentials& how, const std::string& nonce) {
  try {
    if (add_login(fields, how, nonce, fault_)) return {};
    return errc::invalid_credentials;
  } catch (...) {
    return refuse("signer: " + text_of(std::current_exception()));
  }
}

asio::awaitable<error_code> authenticator::complete(proto::connect_fields& fields, const proto::server_url& server,
                                                    login_request request) {
  fault_.clear();
  const bool own = !server.user.empty() || !server.token.empty();
  fields.user = own ? server.user : options_.user;
  fields.pass = own ? server.password : options_.password;
  fields.auth_token = own ? server.token : options_.token;
  if (const auto ec = add(fields, options_.auth, request.nonce)) co_return ec;
  if (options_.async_auth_callback) co_return co_await add_asked(fields, std::move(request));
  if (!options_.auth_callback) co_return error_code();
  credentials answer;
  try {
    answer = options_.auth_callback(request);
  } catch (...) {
    co_return refuse("credentials callback: " + text_of(std::current_exception()));
  }
  co_return add(fields, answer, request.nonce);
}

asio::awaitable<error_code> authenticator::add_asked(proto::connect_fields& fields, login_request request) {
  const auto asked = std::make_shared<question>(options_.async_auth_callback);
  const std::string nonce = request.nonce;
  waiter w(scheduler_);
  asked->waiting.push_back(w);
  asked_ = asked;
  try {
    auto work = asked->ask(std::move(request));
    auto done = [asked](std::exception_ptr failure, credentials answer) {
      asked->failure = std::move(failure);
      asked->answer = std::move(answer);
      complete_all(asked->waiting, {});
    };
    asio::co_spawn(scheduler_.executor(), std::move(work),
                   asio::bind_cancellation_slot(asked->cancel.slot(), std::move(done)));
  } catch (...) {
    co_return refuse("credentials callback: " + text_of(std::current_exception()));
  }
  const auto result = co_await w.wait();
  asked_.reset();
  if (result.error) co_return result.error;
  if (asked->failure) co_return refuse("credentials callback: " + text_of(asked->failure));
  co_return add(fields, asked->answer, nonce);
}

void authenticator::abort(error_code reason) noexcept {
  if (!asked_) return;
  const auto asked = std::move(asked_);
  complete_all(asked->waiting, reason);
  asked->cancel.emit(asio::cancellation_type::terminal);
}

}  // namespace compass_fabric::client
