// SPDX-License-Identifier: Apache-2.0
// A request with many replies: it waits in the table as any other, and a rule says when it has enough.
#include <compass_fabric/error.hpp>

#include "client/connection_core.hpp"
#include "client/publish_error.hpp"
#include "client/requests.hpp"
#include "proto/reply_rule.hpp"

namespace compass_fabric::client {
namespace {

proto::reply_limits limits_of(const request_many_options& o, std::string_view subject) {
  if (o.timeout.count() <= 0 || o.stall.count() < 0)
    throw_error(errc::invalid_option,
                "request to " + std::string(subject) + ": timeout must be positive, stall not negative");
  return {o.timeout, o.stall, o.max_replies};
}

}  // namespace

class requests::pending_many final : public pending_request {
 public:
  pending_many(connection_core& core, proto::request_table<pending_request>& table, std::string_view subject,
               bool ends_with_link, const request_many_options& options, const proto::reply_rule& rule)
      : pending_request(core.turns(), table, subject, ends_with_link),
        turns_(core.turns()),
        options_(options),
        rule_(rule) {
    turns_.set_deadline(*this, rule_.due());
  }

  void on_reply(const message_view& m) override {
    using verdict = proto::reply_rule::verdict;
    const auto now = scheduler::now();
    switch (rule_.on_reply(kind_of(m), now)) {
      case verdict::take:
        replies.emplace_back(m);
        turns_.set_deadline(*this, rule_.due());
        break;
      case verdict::take_last:
        replies.emplace_back(m);
        complete({});
        break;
      case verdict::end: complete({}); break;
      case verdict::refused: complete(errc::no_responders); break;
      case verdict::ignore: break;
    }
  }
  bool has_own_inbox() const noexcept override { return options_.own_inbox; }
  bool own_inbox_proven() const noexcept override { return options_.own_inbox && rule_.taken() != 0; }
  // Its time is over: that is how most of them end.
  void on_deadline() override { complete({}); }

  std::vector<message> replies;

 private:
  proto::reply_kind kind_of(const message_view& m) const {
    if (m.payload.empty() && m.headers().status() == 503) return proto::reply_kind::no_responders;
    return options_.sentinel && options_.sentinel(m) ? proto::reply_kind::sentinel : proto::reply_kind::ordinary;
  }

  scheduler& turns_;
  const request_many_options& options_;
  proto::reply_rule rule_;
};

std::shared_ptr<subscription_state> requests::make_own_inbox(pending_many& r, const request_many_options& options) {
  subscribe_options limited;
  limited.max_messages = options.max_replies;
  const message_handler handler = [&r](const message_view& m) {
    if (!r.completed()) r.on_reply(m);
  };
  auto inbox =
      std::make_shared<subscription_state>(core_.shared_from_this(), table_.own_inbox(r.token()), handler, limited);
  throw_if(core_.enter(*inbox), "request inbox");
  return inbox;
}

namespace {

// Ends the inbox of one request when that goes out of scope: its handler refers to the request.
class own_inbox {
 public:
  own_inbox() = default;
  own_inbox(const own_inbox&) = delete;
  own_inbox& operator=(const own_inbox&) = delete;
  ~own_inbox() {
    if (!state) return;
    state->core().unsubscribe(*state);
    state->drop_handler();
  }
  std::shared_ptr<subscription_state> state;
};

}  // namespace

asio::awaitable<std::vector<message>> requests::request_many(std::string_view subject, std::string_view payload,
                                                             request_many_options options,
                                                             std::shared_ptr<connection_core> /*alive*/) {
  const proto::reply_rule rule(limits_of(options, subject), scheduler::now());  // its time includes the wait for room
  if (core_.out().over_high_water()) co_await core_.out().wait_for_room(subject, rule.due());
  if (!options.own_inbox && !inbox_) ensure_inbox();
  pending_many r(core_, table_, subject, ends_with_link(options.on_disconnect), options, rule);
  if (!r.open()) throw_error(errc::outbox_full, "too many requests waiting");
  own_inbox own;
  if (options.own_inbox) own.state = make_own_inbox(r, options);
  observed_operation op(core_.watched().hooks(), {operation_kind::request, subject, payload.size(), {}});
  publish_options out;
  out.reply = own.state ? std::string_view(own.state->subject) : table_.reply_subject(r.token());
  out.fields = op.fields(options.fields);
  out.beyond_limit = core_.out().connected();
  if (const auto ec = core_.out().publish_request(subject, payload, out)) {
    op.end(ec);
    throw_publish_error(ec, core_, subject, payload, out);
  }
  const auto result = co_await r.wait();
  r.close();
  if (table_.size() == 0) finished();
  op.end(result.error);
  if (result.error) throw_error(result.error, subject);
  co_return std::move(r.replies);
}

}  // namespace compass_fabric::client
