// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/context.hpp>

#include "jetstream/consumer_state.hpp"
#include "jetstream/context_state.hpp"
#include "jetstream/names.hpp"
#include "jetstream/replies.hpp"

namespace compass_fabric::jetstream {

namespace {

boost::asio::awaitable<account_info> ask_account(std::shared_ptr<const context_state> state) {
  const auto reply = co_await state->call("INFO", {});
  co_return read_account_info(reply.payload(), "account");
}

}  // namespace

context::context(connection nc, const context_options& options)
    : state_(std::make_shared<const context_state>(std::move(nc), options)) {}

pull_consumer context::consumer(std::string_view stream, std::string_view name) const {
  check_name("stream", stream);
  check_name("consumer", name);
  return pull_consumer(std::make_shared<const consumer_state>(*this, state_->get_connection(),
                                                              state_->subject("CONSUMER.MSG.NEXT"), stream, name));
}

boost::asio::awaitable<account_info> context::account_info() { return ask_account(state_); }

const connection& context::get_connection() const noexcept { return state_->get_connection(); }

boost::asio::any_io_executor context::get_executor() const noexcept { return state_->get_connection().get_executor(); }

}  // namespace compass_fabric::jetstream
