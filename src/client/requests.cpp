// SPDX-License-Identifier: Apache-2.0
#include "client/requests.hpp"

#include <utility>

#include "client/connection_core.hpp"
#include "client/publish_error.hpp"

namespace compass_fabric::client {
namespace {

class single_reply final : public pending_request {
 public:
  using pending_request::pending_request;
  void on_reply(const message_view& m) override {
    reply = message(m);
    complete({});  // it stays in the table until its caller goes on: the request counts as pending until then
  }
  message reply;
};

}  // namespace

void pending_request::close() noexcept {
  if (token_ != 0) table_.close(token_);
  token_ = 0;
}

void requests::ensure_inbox() {
  if (inbox_) return;
  auto state = std::make_shared<subscription_state>(core_.shared_from_this(), table_.filter(),
                                                    message_handler([this](const message_view& m) { on_reply(m); }),
                                                    subscribe_options{});
  throw_if(core_.enter(*state), "request inbox");
  inbox_ = std::move(state);
  proven_ = false;
}

bool requests::ends_with_link(request_loss rule) const noexcept {
  if (rule == request_loss::by_connection) return core_.options().fail_requests_on_disconnect;
  return rule == request_loss::fail;
}

asio::awaitable<message> requests::request(std::string_view subject, std::string_view payload, request_options options,
                                           std::shared_ptr<connection_core> /*alive*/) {
  const auto start = scheduler::now();
  const auto until = proto::deadline_after(start, options.timeout);
  if (core_.out().over_high_water()) co_await core_.out().wait_for_room(subject, until);
  if (!inbox_) ensure_inbox();
  single_reply r(core_.turns(), table_, subject, ends_with_link(options.on_disconnect));
  if (!r.open()) throw_error(errc::outbox_full, "too many requests waiting");
  core_.turns().set_deadline(r, until);
  std::unique_ptr<observed_operation> op;  // outside the frame, which stays small where nobody watches
  if (core_.watched().active()) {
    operation asking{operation_kind::request, subject, payload.size(), {}};
    op = std::make_unique<observed_operation>(core_.watched().hooks(), std::move(asking));
    options.fields = op->fields(options.fields);
  }
  const publish_options out{table_.reply_subject(r.token()), options.fields, core_.out().connected()};
  if (const auto ec = core_.out().publish_request(subject, payload, out)) {
    if (op) op->end(ec);
    throw_publish_error(ec, core_, subject, payload, out);
  }
  const auto result = co_await r.wait();
  r.close();
  if (table_.size() == 0) finished();
  error_code failure = result.error;
  if (!failure && r.reply.payload().empty() && r.reply.headers().status() == 503) failure = errc::no_responders;
  if (op) {
    op->end(failure);
    if (!failure) core_.watched().request_answered(scheduler::now() - start);
  }
  if (failure) throw_error(failure, subject);
  co_return std::move(r.reply);
}

void requests::on_reply(const message_view& m) {
  proven_ = true;
  pending_request* const r = table_.resolve(m.subject);
  if (r != nullptr && !r->completed()) r->on_reply(m);  // else late, or a second reply
}

void requests::finished() noexcept { complete_all(settling_, {}); }

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

void requests::fail_shared(error_code ec) noexcept {
  table_.for_each([&](pending_request& r) {
    if (!r.has_own_inbox()) r.complete(ec);
  });
}

void requests::subscription_refused(const subscription_state& s, error_code ec) noexcept {
  if (!is_inbox(s)) return fail_reply(s.subject, ec);
  fail_shared(ec);
  inbox_.reset();
}

void requests::some_subscription_refused(error_code ec) noexcept {
  table_.for_each([&](pending_request& r) {
    if (r.has_own_inbox() && !r.own_inbox_proven()) r.complete(ec);
  });
  if (!inbox_ || proven_) return;
  fail_shared(ec);
  core_.unsubscribe(*inbox_);
  inbox_.reset();
}

void requests::fail_subject(std::string_view subject, error_code ec) noexcept {
  table_.for_each([&](pending_request& r) {
    if (r.subject() == subject) r.complete(ec);
  });
}

void requests::fail_reply(std::string_view reply, error_code ec) noexcept {
  if (auto* const r = table_.resolve(reply)) r->complete(ec);
}

void requests::link_lost(bool left) noexcept {
  proven_ = false;
  if (left) return;
  table_.for_each([&](pending_request& r) {
    if (r.ends_with_link()) r.complete(errc::connection_lost);
  });
}

bool requests::ends_with_link(std::string_view reply) const noexcept {
  if (!table_.owns(reply)) return false;
  const auto* const r = table_.resolve(reply);
  return r != nullptr ? r->ends_with_link() : core_.options().fail_requests_on_disconnect;
}

void requests::release() noexcept { inbox_.reset(); }

}  // namespace compass_fabric::client
