// SPDX-License-Identifier: Apache-2.0
// The sending half that does not depend on a link: validation, limits, back-pressure and the outbox.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include <compass_fabric/connection.hpp>

#include "client/observer.hpp"
#include "client/scheduler.hpp"
#include "proto/outbox.hpp"
#include "proto/serializer.hpp"

namespace compass_fabric::client {

class outbound {
 public:
  /// `flush` hands the outbox to the link; `dropped` is told of publishes given up by `offline_policy::drop_oldest`.
  outbound(scheduler& s, observer& watched, const connect_options& options, std::function<void()> flush,
           std::function<void(const proto::buffered_publish&)> dropped) noexcept;

  /// Validates and appends one publish; nothing is appended when it returns an error.
  error_code publish(std::string_view subject, std::string_view payload, const publish_options& options);
  /// As `publish`, but the reply subject is one of the library's own and not validated again.
  error_code publish_request(std::string_view subject, std::string_view payload, const publish_options& options);
  /// Suspends while the outbox is over its high-water mark. Throws what `publish` would return in this state, or
  /// `timeout`; both name `subject`.
  asio::awaitable<void> wait_for_room(std::string_view subject, proto::time_point until = proto::time_point::max());
  bool connected() const noexcept { return connected_; }
  /// Also true after so many bytes in one turn, whatever the transport took of them: an endless publisher lets others
  /// run.
  bool over_high_water() const noexcept { return box_.size() + written_in_turn_ > high_water_; }

  /// What the current server allows.
  void link_limits(std::size_t max_payload, bool headers_supported) noexcept;
  void link_up() noexcept;
  /// The link is gone: what was not sent waits for the next one, within `reconnect_buffer`.
  void link_down() noexcept;
  /// No more publishes: each gives `reason` from now on, and so do those that wait for room. What is in the outbox
  /// stays.
  void refuse(errc reason) noexcept;
  /// The turn is over, whether or not its bytes could be written.
  void turn_ends() noexcept;
  /// Bytes were written: publishers that waited for room go on.
  void written() noexcept;

  proto::outbox& box() noexcept { return box_; }
  const proto::outbox& box() const noexcept { return box_; }
  std::size_t max_payload() const noexcept { return max_payload_; }
  std::uint64_t out_messages() const noexcept { return out_messages_; }
  std::uint64_t out_bytes() const noexcept { return out_bytes_; }

 private:
  error_code publish_observed(std::string_view subject, std::string_view payload, const publish_options& options);
  error_code send(std::string_view subject, std::string_view payload, const publish_options& options);
  errc append(const proto::publish_command& command, bool beyond_limit);
  errc append_with_headers(const proto::publish_command& command, const headers& fields, bool beyond_limit);
  errc admit(std::size_t size, bool beyond_limit);
  errc make_offline_room(std::size_t size);
  void appended(std::size_t size);
  void flush_early();
  bool fits(std::size_t size) const noexcept { return box_.empty() || box_.size() + size <= limit_; }

  scheduler& scheduler_;
  observer& observer_;
  proto::outbox box_;
  std::function<void()> flush_;
  std::function<void(const proto::buffered_publish&)> dropped_;
  waiter_list waiting_for_room_;
  std::size_t high_water_;
  std::size_t connected_limit_;
  std::size_t reconnect_buffer_;
  std::size_t limit_;
  std::size_t written_in_turn_ = 0;
  std::size_t flush_at_;                // at this size of the outbox the link is asked to write before the turn ends
  std::size_t max_payload_ = SIZE_MAX;  // not known before the first INFO
  offline_policy when_disconnected_;
  bool headers_supported_ = true;
  const bool observed_;
  bool connected_ = false;
  error_code refusal_;
  std::uint64_t out_messages_ = 0;
  std::uint64_t out_bytes_ = 0;
};

}  // namespace compass_fabric::client
