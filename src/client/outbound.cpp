// SPDX-License-Identifier: Apache-2.0
#include "client/outbound.hpp"

#include "proto/header_block.hpp"
#include "proto/serializer.hpp"
#include "proto/subject.hpp"

namespace compass_fabric::client {

outbound::outbound(scheduler& s, observer& watched, const connect_options& options,
                   std::function<void(const proto::buffered_publish&)> dropped) noexcept
    : scheduler_(s),
      observer_(watched),
      dropped_(std::move(dropped)),
      high_water_(options.outbox_high_water),
      connected_limit_(options.outbox_limit),
      reconnect_buffer_(options.reconnect_buffer),
      limit_(options.reconnect_buffer),
      when_disconnected_(options.reconnect_buffer == 0 ? offline_policy::fail : options.when_disconnected),
      observed_(watched.active()) {}

error_code outbound::publish(std::string_view subject, std::string_view payload, const publish_options& options) {
  if (!options.reply.empty() && !proto::valid_publish_subject(options.reply)) return errc::invalid_subject;
  if (observed_) return publish_observed(subject, payload, options);
  return publish_request(subject, payload, options);
}

error_code outbound::publish_observed(std::string_view subject, std::string_view payload,
                                      const publish_options& options) {
  observed_operation op(observer_.hooks(), {operation_kind::publish, subject, payload.size(), {}});
  publish_options with_context = options;
  with_context.fields = op.fields(options.fields);
  const auto ec = publish_request(subject, payload, with_context);
  op.end(ec);
  return ec;
}

error_code outbound::publish_request(std::string_view subject, std::string_view payload,
                                     const publish_options& options) {
  if (refusal_) return refusal_;
  if (!proto::valid_publish_subject(subject)) return errc::invalid_subject;
  return append(subject, payload, options);
}

error_code outbound::append(std::string_view subject, std::string_view payload, const publish_options& options) {
  const bool with_headers = options.fields != nullptr && !options.fields->empty();
  if (with_headers && !headers_supported_) return errc::headers_not_supported;
  proto::header_fields fields;
  if (with_headers) fields = proto::header_fields(options.fields->begin(), options.fields->end());
  const std::size_t header_size = with_headers ? proto::encoded_size(fields) : 0;
  const std::size_t size = header_size + payload.size();
  if (size > max_payload_) return errc::max_payload_exceeded;
  if (!options.beyond_limit) {
    if (!connected_) {
      if (const auto ec = make_offline_room(size)) return ec;
    } else if (!fits(size)) {
      return errc::outbox_full;
    }
  }
  if (observed_ && box_.empty()) observer_.outbox_filled();
  const proto::publish_command command{subject, options.reply, payload};
  if (with_headers) {
    proto::write_header_block(proto::append_publish_with_headers(box_.pending(), command, header_size), fields);
  } else {
    proto::append_publish(box_.pending(), command);
  }
  ++out_messages_;
  out_bytes_ += size;
  if (connected_) scheduler_.schedule();
  return {};
}

// While disconnected the outbox holds publishes only.
error_code outbound::make_offline_room(std::size_t size) {
  if (when_disconnected_ == offline_policy::fail) return errc::connection_lost;
  while (!fits(size)) {
    if (when_disconnected_ == offline_policy::buffer) return errc::outbox_full;
    box_.drop_oldest(dropped_);
  }
  return {};
}

asio::awaitable<void> outbound::wait_for_room() {
  while (connected_ && over_high_water() && !refusal_) {
    waiter w(scheduler_);
    waiting_for_room_.push_back(w);
    if (const auto r = co_await w.wait(); r.error) throw_error(r.error, "publish");
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

void outbound::written() noexcept {
  if (observed_ && box_.empty()) observer_.outbox_emptied();
  if (box_.size() <= high_water_ / 2) complete_all(waiting_for_room_, {});
}

}  // namespace compass_fabric::client
