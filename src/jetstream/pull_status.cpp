// SPDX-License-Identifier: Apache-2.0
#include "jetstream/pull_status.hpp"

#include <charconv>

namespace compass_fabric::jetstream {

namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Texts carry suffixes ("of 10") and changed their case between versions.
bool begins(std::string_view text, std::string_view lower_case) noexcept {
  if (text.size() < lower_case.size()) return false;
  for (std::size_t i = 0; i != lower_case.size(); ++i) {
    if (lower(text[i]) != lower_case[i]) return false;
  }
  return true;
}

struct known_text {
  std::string_view text;
  status_kind kind;
};

constexpr known_text conflicts[] = {
    {"message size exceeds maxbytes", status_kind::too_large}, {"batch completed", status_kind::completed},
    {"exceeded maxwaiting", status_kind::too_many_pulls},      {"exceeded maxrequest", status_kind::refused},
    {"leadership change", status_kind::leadership_change},     {"server shutdown", status_kind::server_shutdown},
    {"consumer deleted", status_kind::consumer_deleted},       {"consumer is push based", status_kind::push_consumer},
};

status_kind kind_of(int code, std::string_view text) noexcept {
  switch (code) {
    case 100: return status_kind::heartbeat;
    case 400:
    case 412: return status_kind::refused;
    case 404: return status_kind::no_messages;
    case 408: return status_kind::expired;
    case 503: return status_kind::no_responders;
    case 409:
      for (const auto& known : conflicts) {
        if (begins(text, known.text)) return known.kind;
      }
      return status_kind::other;
    default: return status_kind::other;
  }
}

std::optional<std::uint64_t> number(headers_view fields, std::string_view name) {
  const auto text = fields.get_ignore_case(name);
  if (!text) return std::nullopt;
  std::uint64_t value = 0;
  const auto* end = text->data() + text->size();
  const auto [stop, error] = std::from_chars(text->data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::optional<pull_status> read_status(const message_view& m) {
  if (m.header_block.empty()) return std::nullopt;
  if (!m.reply.empty() && !m.reply.starts_with("$JS.FC.")) return std::nullopt;
  const auto fields = m.headers();
  const int code = fields.status();
  if (code == 0) return std::nullopt;
  const auto text = fields.description();
  return pull_status{kind_of(code, text), code, text, number(fields, "Nats-Pending-Messages"),
                     number(fields, "Nats-Pending-Bytes")};
}

error_code error_of(status_kind kind) noexcept {
  switch (kind) {
    case status_kind::heartbeat:
    case status_kind::no_messages:
    case status_kind::expired:
    case status_kind::completed: return {};
    case status_kind::too_large: return errc::message_too_large;
    case status_kind::too_many_pulls: return errc::too_many_pulls;
    case status_kind::no_responders: return errc::unavailable;
    case status_kind::leadership_change: return errc::leadership_change;
    case status_kind::server_shutdown: return errc::server_shutdown;
    case status_kind::refused: return errc::pull_refused;
    case status_kind::consumer_deleted: return errc::consumer_deleted;
    case status_kind::push_consumer: return errc::push_consumer;
    case status_kind::other: break;
  }
  return errc::refused;
}

}  // namespace compass_fabric::jetstream
