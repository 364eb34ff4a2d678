// SPDX-License-Identifier: Apache-2.0
#include "client/requests.hpp"

#include <vector>

#include "client/connection_core.hpp"
#include "client/publish_error.hpp"

namespace compass_fabric::client {

void pending_request::close() noexcept {
  if (token_ != 0) table_.close(token_);
  token_ = 0;
}

void requests::ensure_inbox() {
  if (inbox_) return;
  auto state = std::make_shared<subscription_state>(
      core_.shared_from_this(), table_.filter(), [this](const message_view& m) { on_reply(m); }, subscribe_options{});
  throw_if(core_.enter(*state), "request inbox");
  inbox_ = std::move(state);
}

asio::awaitable<message> requests::request(std::string_view subject, std::string_view payload,
                                           request_options options) {
  ensure_inbox();
  pending_request r(core_.turns(), table_, subject);
  if (!r.open()) throw_error(errc::outbox_full, "too many requests waiting");
  core_.turns().set_deadline(r, proto::deadline_after(scheduler::now(), options.timeout));
  const publish_options out{table_.reply_subject(r.token()), options.fields, false};
  if (const auto ec = core_.out().publish_request(subject, payload, out))
    throw_publish_error(ec, core_, subject, payload, out);
  const auto result = co_await r.wait();
  r.close();
  if (table_.size() == 0) complete_all(settling_, {});
  if (result.error) throw_error(result.error, subject);
  if (r.reply.payload().empty() && r.reply.headers().status() == 503) throw_error(errc::no_responders, subject);
  co_return std::move(r.reply);
}

void requests::on_reply(const message_view& m) {
  pending_request* const r = table_.resolve(m.subject);
  if (r == nullptr || r->completed()) return;  // late, or a second reply
  r->reply = message(m);
  r->complete({});  // it stays in the table until its caller goes on: the request counts as pending until then
}

asio::awaitable<void> requests::settled(proto::time_point until) {
  while (table_.size() != 0) {
    waiter w(core_.turns());
    settling_.push_back(w);
    core_.turns().set_deadline(w, until);
    const auto result = co_await w.wait();
    throw_if(result.error, "requests still pending");
  }
}

void requests::fail_all(error_code ec) noexcept {
  table_.for_each([&](pending_request& r) { r.complete(ec); });
}

void requests::fail_subject(std::string_view subject, error_code ec) noexcept {
  table_.for_each([&](pending_request& r) {
    if (r.subject() == subject) r.complete(ec);
  });
}

void requests::release() noexcept { inbox_.reset(); }

}  // namespace compass_fabric::client
