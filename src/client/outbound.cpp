// SPDX-License-Identifier: Apache-2.0
#include "client/outbound.hpp"

#include "proto/header_block.hpp"
#include "proto/subject.hpp"

namespace compass_fabric::client {
namespace {

// Somebody who publishes much in one turn fills caches and memory for nothing: what is written while it is warm costs
// half.
constexpr std::size_t early_flush = 32 * 1024;

}  // namespace

outbound::outbound(scheduler& s, observer& watched, const connect_options& options, std::function<void()> flush,
                   std::function<void(const proto::buffered_publish&)> dropped) noexcept
    : scheduler_(s),
      observer_(watched),
      flush_(std::move(flush)),
      dropped_(std::move(dropped)),
      high_water_(options.outbox_high_water),
      connected_limit_(options.outbox_limit),
      reconnect_buffer_(options.reconnect_buffer),
      limit_(options.reconnect_buffer),
      flush_at_(early_flush),
      when_disconnected_(options.reconnect_buffer == 0 ? offline_policy::fail : options.when_disconnected),
      observed_(watched.active()) {}

error_code outbound::publish(std::string_view subject, std::string_view payload, const publish_options& options) {
  if (!options.reply.empty() && !proto::valid_publish_subject(options.reply)) return errc::invalid_subject;
  if (observed_) return publish_observed(subject, payload, options);
  return send(subject, payload, options);
}

error_code outbound::publish_request(std::string_view subject, std::string_view payload,
                                     const publish_options& options) {
  return send(subject, payload, options);
}

error_code outbound::publish_observed(std::string_view subject, std::string_view payload,
                                      const publish_options& options) {
  observed_operation op(observer_.hooks(), {operation_kind::publish, subject, payload.size(), {}});
  publish_options with_context = options;
  with_context.fields = op.fields(options.fields);
  const auto ec = send(subject, payload, with_context);
  op.end(ec);
  return ec;
}

// From here to `appended` is the path of every publish; it is written to become one function.
inline error_code outbound::send(std::string_view subject, std::string_view payload, const publish_options& options) {
  if (refusal_) return refusal_;
  if (!proto::valid_publish_subject(subject)) return errc::invalid_subject;
  const bool with_headers = options.fields != nullptr && !options.fields->empty();
  const proto::publish_command command{subject, options.reply, payload};
  const errc refused = with_headers ? append_with_headers(command, *options.fields, options.beyond_limit)
                                    : append(command, options.beyond_limit);
  return refused == errc{} ? error_code() : error_code(refused);
}

inline errc outbound::append(const proto::publish_command& command, bool beyond_limit) {
  const errc refused = admit(command.payload.size(), beyond_limit);
  if (refused != errc{}) return refused;
  proto::append_publish(box_.pending(), command);
  appended(command.payload.size());
  return {};
}

errc outbound::append_with_headers(const proto::publish_command& command, const headers& fields, bool beyond_limit) {
  if (!headers_supported_) return errc::headers_not_supported;
  const proto::header_fields block(fields.begin(), fields.end());
  const std::size_t header_size = proto::encoded_size(block);
  const std::size_t size = header_size + command.payload.size();
  const errc refused = admit(size, beyond_limit);
  if (refused != errc{}) return refused;
  proto::write_header_block(proto::append_publish_with_headers(box_.pending(), command, header_size), block);
  appended(size);
  return {};
}

// Whether a message of `size` bytes may be appended now.
inline errc outbound::admit(std::size_t size, bool beyond_limit) {
  if (size > max_payload_) return errc::max_payload_exceeded;
  if (!beyond_limit) {
    if (!connected_) {
      const errc refused = make_offline_room(size);
      if (refused != errc{}) return refused;
    } else if (!fits(size)) {
      return errc::outbox_full;
    }
  }
  if (observed_ && box_.empty()) observer_.outbox_filled();
  return {};
}

inline void outbound::appended(std::size_t size) {
  ++out_messages_;
  out_bytes_ += size;
  if (!connected_) return;
  scheduler_.schedule();
  if (box_.size() >= flush_at_) flush_early();
}

void outbound::flush_early() {
  const std::size_t waiting = box_.size();
  flush_();
  written_in_turn_ += waiting - box_.size();
  flush_at_ = box_.size() + early_flush;
}

// While disconnected the outbox holds publishes only.
errc outbound::make_offline_room(std::size_t size) {
  if (when_disconnected_ == offline_policy::fail) return errc::connection_lost;
  while (!fits(size)) {
    if (when_disconnected_ == offline_policy::buffer) return errc::outbox_full;
    box_.drop_oldest(dropped_);
  }
  return {};
}

asio::awaitable<void> outbound::wait_for_room(std::string_view subject, proto::time_point until) {
  while (connected_ && over_high_water() && !refusal_) {
    waiter w(scheduler_);
    waiting_for_room_.push_back(w);
    if (until != proto::time_point::max()) scheduler_.set_deadline(w, until);
    if (const auto r = co_await w.wait(); r.error) throw_error(r.error, subject);
  }
}

void outbound::link_limits(std::size_t max_payload, bool headers_supported) noexcept {
  max_payload_ = max_payload;
  headers_supported_ = headers_supported;
}

void outbound::link_up() noexcept {
  connected_ = true;
  limit_ = connected_limit_;
}

void outbound::link_down() noexcept {
  connected_ = false;
  limit_ = reconnect_buffer_;
  complete_all(waiting_for_room_, {});  // they look again and meet the limit of the disconnected state
}

void outbound::refuse(errc reason) noexcept {
  refusal_ = reason;
  complete_all(waiting_for_room_, refusal_);
}

void outbound::turn_ends() noexcept {
  written_in_turn_ = 0;
  if (!over_high_water()) complete_all(waiting_for_room_, {});
}

void outbound::written() noexcept {
  flush_at_ = box_.size() + early_flush;
  if (observed_ && box_.empty()) observer_.outbox_emptied();
  if (box_.size() <= high_water_ / 2) complete_all(waiting_for_room_, {});
}

}  // namespace compass_fabric::client
