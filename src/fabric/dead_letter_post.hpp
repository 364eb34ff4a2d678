// SPDX-License-Identifier: Apache-2.0
// Sends one dead letter over core NATS and learns whether the server took it.
#pragma once

#include <compass_fabric/connection.hpp>
#include <compass_fabric/error.hpp>
#include <compass_fabric/headers.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace compass_fabric::fabric {

/// What a dead letter tells besides the payload. The views must live as long as the letter is being sent.
struct dead_letter {
  std::string_view original_subject;
  std::string_view reason;
  std::string_view consumer;
  std::uint64_t stream_sequence = 0;
  std::string_view payload;
};

/// `reason` with every control byte replaced by a blank, cut at 1024 bytes: a header value and a term reason in one.
std::string safe_reason(std::string_view reason);

/// The header fields of `letter`.
headers dead_letter_headers(const dead_letter& letter);

/// Core NATS has no acknowledgement, but a server that refuses the publish says so before it answers the next PING. The
/// caller terms the event between `send` and `confirm`, so that both leave together and no crash fits between them.
class dead_letter_post {
 public:
  explicit dead_letter_post(connection nc);

  /// Publishes the letter; returns why it could not, without throwing.
  boost::asio::awaitable<error_code> send(const dead_letter& letter);
  /// Waits for the server's word. No answer is no refusal: on a lost link the letter is kept and sent later.
  boost::asio::awaitable<error_code> confirm();

 private:
  connection nc_;
  std::shared_ptr<error_code> refused_;
  event_registration registration_;
};

}  // namespace compass_fabric::fabric
