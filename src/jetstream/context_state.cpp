// SPDX-License-Identifier: Apache-2.0
#include "jetstream/context_state.hpp"

#include "jetstream/guarded.hpp"
#include "proto/subject.hpp"

#include <fmt/format.h>

#include <utility>

namespace compass_fabric::jetstream {

namespace {

std::string prefix_of(const context_options& options) {
  if (options.domain.empty()) {
    if (auto fault = proto::subject_fault(options.prefix); !fault.empty()) {
      throw_error(errc::invalid_option, fmt::format("API prefix \"{}\": {}", options.prefix, fault));
    }
    return options.prefix;
  }
  if (auto fault = proto::token_fault(options.domain); !fault.empty()) {
    throw_error(errc::invalid_option, fmt::format("domain \"{}\": {}", options.domain, fault));
  }
  return fmt::format("$JS.{}.API", options.domain);
}

}  // namespace

context_state::context_state(connection nc, const context_options& options)
    : connection_(std::move(nc)),
      prefix_(prefix_of(options)),
      timeout_(options.timeout),
      on_api_call_(options.on_api_call) {
  if (timeout_.count() <= 0) throw_error(errc::invalid_option, "timeout of API requests");
}

std::string context_state::subject(std::string_view verb) const { return fmt::format("{}.{}", prefix_, verb); }

boost::asio::awaitable<compass_fabric::message> context_state::call(std::string verb, std::string body) const {
  const auto address = subject(verb);
  if (on_api_call_) co_return co_await ask_observed(address, body);
  co_return co_await ask(address, body);
}

boost::asio::awaitable<compass_fabric::message> context_state::ask_observed(std::string_view address,
                                                                            std::string_view body) const {
  const auto start = std::chrono::steady_clock::now();
  api_call seen{address, body, {}, {}, {}};
  const auto show = [&] {
    seen.duration = std::chrono::steady_clock::now() - start;
    guarded(connection_.get_executor(), [&] { on_api_call_(seen); });
  };
  try {
    auto reply = co_await ask(address, body);
    seen.reply = reply.payload();
    show();
    co_return reply;
  } catch (const system_error& e) {
    seen.error = e.code();
    show();
    throw;
  }
}

boost::asio::awaitable<compass_fabric::message> context_state::ask(std::string_view address,
                                                                   std::string_view body) const {
  auto nc = connection_;
  request_options options;
  options.timeout = timeout_;
  try {
    co_return co_await nc.request(address, body, options);
  } catch (const system_error& e) {
    if (e.code() == compass_fabric::errc::no_responders) throw_error(errc::unavailable, std::string(address));
    throw;
  }
}

}  // namespace compass_fabric::jetstream
