// SPDX-License-Identifier: Apache-2.0
#include "fabric/dead_letter_post.hpp"

#include <compass_fabric/fabric/dead_letter.hpp>
#include <compass_fabric/fabric/subject.hpp>

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

namespace compass_fabric::fabric {

std::string safe_reason(std::string_view reason) {
  constexpr std::size_t longest = 1024;
  std::string text(reason.substr(0, longest));
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), control, ' ');
  return text;
}

headers dead_letter_headers(const dead_letter& letter) {
  headers fields;
  fields.add(original_subject_header, letter.original_subject);
  fields.add(park_reason_header, safe_reason(letter.reason));
  fields.add(park_consumer_header, letter.consumer);
  if (letter.stream_sequence != 0) fields.add(park_sequence_header, std::to_string(letter.stream_sequence));
  return fields;
}

dead_letter_post::dead_letter_post(connection nc) : nc_(std::move(nc)), refused_(std::make_shared<error_code>()) {
  registration_ = nc_.on_event([refused = refused_](const connection_event& e) {
    const bool meant = e.kind == compass_fabric::event_kind::permission_denied && e.subject == dlq_subject;
    if (meant) *refused = e.error ? e.error : make_error_code(compass_fabric::errc::permission_violation);
  });
}

boost::asio::awaitable<error_code> dead_letter_post::send(const dead_letter& letter) {
  const auto fields = dead_letter_headers(letter);
  publish_options options;
  options.fields = &fields;
  try {
    co_await nc_.publish(dlq_subject, letter.payload, options);
  } catch (const system_error& e) {
    co_return e.code();
  }
  co_return error_code{};
}

boost::asio::awaitable<error_code> dead_letter_post::confirm() {
  try {
    co_await nc_.flush(std::chrono::seconds(5));
  } catch (const system_error&) {
    // The link is away; nothing was refused.
  }
  // Connection events have a turn of their own, which may come after that of the flush.
  co_await boost::asio::post(nc_.get_executor(), boost::asio::use_awaitable);
  co_return *refused_;
}

}  // namespace compass_fabric::fabric
