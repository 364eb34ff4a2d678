// SPDX-License-Identifier: Apache-2.0
#include "jetstream/json_reader.hpp"

#include <limits>

namespace compass_fabric::jetstream {

std::string json_path::text() const {
  auto text = outer == nullptr ? std::string() : outer->text();
  if (!text.empty() && !key.empty()) text += '.';
  return text += key;
}

void fail_reply(const json_path& path, std::string_view fault) {
  throw system_error(errc::invalid_reply, path.text() + ": " + std::string(fault));
}

namespace json {

bool read(const element& value, std::string& out, const json_path& path) {
  out = expect<std::string_view>(value, path, "not a text");
  return true;
}

bool read(const element& value, bool& out, const json_path& path) {
  out = expect<bool>(value, path, "not true or false");
  return true;
}

bool read(const element& value, int& out, const json_path& path) {
  const auto number = expect<std::int64_t>(value, path, "not an integer");
  if (number < std::numeric_limits<int>::min() || number > std::numeric_limits<int>::max()) {
    fail_reply(path, "out of range");
  }
  out = static_cast<int>(number);
  return true;
}

bool read(const element& value, std::int64_t& out, const json_path& path) {
  out = expect<std::int64_t>(value, path, "not an integer");
  return true;
}

bool read(const element& value, std::uint64_t& out, const json_path& path) {
  out = expect<std::uint64_t>(value, path, "not an unsigned integer");
  return true;
}

bool read(const element& value, std::chrono::nanoseconds& out, const json_path& path) {
  out = std::chrono::nanoseconds(expect<std::int64_t>(value, path, "not an integer"));
  return true;
}

bool read(const element& value, std::optional<timestamp>& out, const json_path& path) {
  const auto parsed = parse_time(expect<std::string_view>(value, path, "not a text"));
  if (!parsed.valid) fail_reply(path, "not a time");
  out = parsed.time;
  return true;
}

}  // namespace json

}  // namespace compass_fabric::jetstream
