// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/trace_context.hpp>

#include <algorithm>
#include <span>

namespace compass_fabric {
namespace {

constexpr std::string_view parent_name = "traceparent";
constexpr std::string_view state_name = "tracestate";
constexpr std::string_view digits = "0123456789abcdef";

void append_hex(std::string& out, std::span<const std::byte> bytes) {
  for (const std::byte b : bytes) {
    out += digits[std::to_integer<std::size_t>(b >> 4)];
    out += digits[std::to_integer<std::size_t>(b & std::byte{15})];
  }
}

// Lower case only, as the format demands.
bool read_hex(std::string_view text, std::span<std::byte> bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto high = digits.find(text[2 * i]);
    const auto low = digits.find(text[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return false;
    bytes[i] = static_cast<std::byte>(high << 4 | low);
  }
  return true;
}

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

bool trace_context::valid() const noexcept { return !all_zero(trace_id) && !all_zero(span_id); }

std::string to_traceparent(const trace_context& context) {
  std::string text = "00-";
  append_hex(text, context.trace_id);
  text += '-';
  append_hex(text, context.span_id);
  text += '-';
  append_hex(text, std::array{static_cast<std::byte>(context.flags)});
  return text;
}

std::optional<trace_context> parse_traceparent(std::string_view text) {
  constexpr std::size_t size = 55;
  if (text.size() < size || text[2] != '-' || text[35] != '-' || text[52] != '-') return std::nullopt;
  std::array<std::byte, 1> version{};
  std::array<std::byte, 1> flags{};
  trace_context context;
  if (!read_hex(text, version) || version[0] == std::byte{255}) return std::nullopt;
  if (version[0] == std::byte{0} ? text.size() != size : text.size() > size && text[size] != '-') return std::nullopt;
  if (!read_hex(text.substr(3), context.trace_id) || !read_hex(text.substr(36), context.span_id) ||
      !read_hex(text.substr(53), flags))
    return std::nullopt;
  context.flags = std::to_integer<unsigned char>(flags[0]);
  if (!context.valid()) return std::nullopt;
  return context;
}

void inject(const trace_context& context, headers& fields) {
  fields.erase(parent_name);
  fields.erase(state_name);
  if (!context.valid()) return;
  if (!context.state.empty()) fields.set(state_name, context.state);
  fields.set(parent_name, to_traceparent(context));
}

std::optional<trace_context> extract(const headers_view& fields) {
  const auto parent = fields.get_ignore_case(parent_name);
  if (!parent) return std::nullopt;
  auto context = parse_traceparent(*parent);
  if (!context) return context;
  if (const auto state = fields.get_ignore_case(state_name)) context->state = *state;
  return context;
}

}  // namespace compass_fabric
