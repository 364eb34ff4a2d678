// SPDX-License-Identifier: Apache-2.0
#include "jetstream/ack_subject.hpp"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>

namespace compass_fabric::jetstream {

namespace {

constexpr std::string_view prefix = "$JS.ACK.";
/// Tokens behind the prefix; tokens of a longer subject are counted only as far as they are used.
constexpr std::size_t short_form = 7;
constexpr std::size_t long_form = 9;

using token_list = std::array<std::string_view, long_form>;

std::size_t split(std::string_view rest, token_list& tokens) noexcept {
  std::size_t count = 0;
  while (count != tokens.size()) {
    const auto dot = rest.find('.');
    tokens[count++] = rest.substr(0, dot);
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  return count;
}

template <class T>
bool read(std::string_view token, T& number) noexcept {
  const auto* end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, number);
  return error == std::errc() && stop == end;
}

std::optional<metadata> read_tokens(std::span<const std::string_view, short_form> tokens) noexcept {
  metadata found;
  found.stream = tokens[0];
  found.consumer = tokens[1];
  std::int64_t nanoseconds = 0;
  const bool ok = !found.stream.empty() && !found.consumer.empty() && read(tokens[2], found.delivered) &&
                  read(tokens[3], found.stream_sequence) && read(tokens[4], found.consumer_sequence) &&
                  read(tokens[5], nanoseconds) && read(tokens[6], found.pending);
  if (!ok) return std::nullopt;
  found.time = timestamp(std::chrono::nanoseconds(nanoseconds));
  return found;
}

}  // namespace

std::optional<metadata> parse_ack_subject(std::string_view subject) noexcept {
  if (!subject.starts_with(prefix)) return std::nullopt;
  token_list tokens;
  const auto count = split(subject.substr(prefix.size()), tokens);
  if (count == short_form) return read_tokens(std::span(tokens).first<short_form>());
  if (count != long_form || tokens[0].empty()) return std::nullopt;
  auto found = read_tokens(std::span(tokens).last<short_form>());
  if (found && tokens[0] != "_") found->domain = tokens[0];
  return found;
}

}  // namespace compass_fabric::jetstream
