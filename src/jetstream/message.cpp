// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/jetstream/message.hpp>

#include "jetstream/ack_subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include <boost/asio/error.hpp>

namespace compass_fabric::jetstream {

namespace {

constexpr std::size_t max_reason = 1024;

/// Nothing breaks the protocol in a payload, but the reason ends up in logs and advisories.
std::string term_text(std::string_view reason) {
  if (reason.empty()) return "+TERM";
  std::string text = "+TERM ";
  text += reason.substr(0, max_reason);
  std::ranges::replace_if(text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return text;
}

bool outcome_unknown(error_code error) noexcept {
  return error == compass_fabric::errc::timeout || error == compass_fabric::errc::connection_lost ||
         error == compass_fabric::errc::connection_closed;
}

}  // namespace

message::message(connection nc, compass_fabric::message received) noexcept
    : connection_(std::move(nc)), received_(std::move(received)) {
  if (const auto found = parse_ack_subject(received_.reply())) metadata_ = *found;
}

message::message(message&& other) noexcept
    : connection_(std::move(other.connection_)),
      received_(std::move(other.received_)),
      metadata_(std::exchange(other.metadata_, {})),
      answered_(std::exchange(other.answered_, false)) {}

message& message::operator=(message&& other) noexcept {
  connection_ = std::move(other.connection_);
  received_ = std::move(other.received_);
  metadata_ = std::exchange(other.metadata_, {});
  answered_ = std::exchange(other.answered_, false);
  return *this;
}

const metadata& message::metadata() const {
  if (!has_metadata()) throw_error(errc::not_a_jetstream_message, fmt::format("reply subject \"{}\"", reply()));
  return metadata_;
}

error_code message::ack() { return answer("+ACK", true); }

error_code message::nak() { return answer("-NAK", true); }

error_code message::nak(std::chrono::nanoseconds delay) {
  if (delay.count() < 0) return errc::invalid_option;
  if (delay.count() == 0) return nak();
  return answer(fmt::format(R"(-NAK {{"delay":{}}})", delay.count()), true);
}

error_code message::term(std::string_view reason) { return answer(term_text(reason), true); }

error_code message::in_progress() { return answer("+WPI", false); }

error_code message::answer(std::string_view text, bool final) {
  if (answered_) return errc::already_acked;
  if (reply().empty()) return errc::not_a_jetstream_message;
  compass_fabric::publish_options options;
  options.beyond_limit = true;
  const auto error = connection_.try_publish(reply(), text, options);
  answered_ = final && !error;
  return error;
}

boost::asio::awaitable<void> message::double_ack(std::chrono::milliseconds timeout) {
  if (answered_) throw_error(errc::already_acked, reply());
  if (reply().empty()) throw_error(errc::not_a_jetstream_message, subject());
  answered_ = true;
  request_options options;
  options.timeout = timeout;
  try {
    co_await connection_.request(reply(), "+ACK", options);
  } catch (const system_error& e) {
    // Whether or not it took effect, the same ack once more does no harm.
    answered_ = false;
    if (e.code() == compass_fabric::errc::no_responders) throw_error(errc::consumer_not_found, reply());
    if (outcome_unknown(e.code())) throw_error(errc::ack_unknown, reply());
    throw;
  }
}

}  // namespace compass_fabric::jetstream
