// SPDX-License-Identifier: Apache-2.0
// Writes JSON by appending to a string: commas and escapes are its business, the nesting is the caller's.
//
//   json_writer json(out);
//   json.begin_object();
//   json.member("name", "ORDERS");
//   json.key("subjects");
//   json.begin_array(); json.value("orders.>"); json.end_array();
//   json.end_object();
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// Appends one JSON value to a string without spaces.
///
/// Text may be any bytes: control bytes, quotes and backslashes are escaped, bytes that are not UTF-8 become U+FFFD.
/// Lifetime: the string must outlive the writer.
class json_writer {
 public:
  explicit json_writer(std::string& out) noexcept : out_(out) {}
  json_writer(const json_writer&) = delete;
  json_writer& operator=(const json_writer&) = delete;

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// The name of the next value; only inside an object.
  void key(std::string_view name);

  void value(std::string_view text);
  /// Text up to its NUL; without this overload it would become a bool.
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool flag);
  template <std::signed_integral T>
  void value(T number) {
    signed_number(number);
  }
  template <std::unsigned_integral T>
    requires(!std::same_as<T, bool>)
  void value(T number) {
    unsigned_number(number);
  }
  /// The shortest text that reads back the same; null for infinities and NaN, which JSON cannot hold.
  void value(double number);
  void null();
  /// Appends `json` as it is. Precondition: it is one valid JSON value.
  void raw(std::string_view json);

  /// A key and its value.
  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();
  void quote(std::string_view text);
  void signed_number(std::int64_t number);
  void unsigned_number(std::uint64_t number);

  std::string& out_;
  /// True when the next key or value follows another one on its level. One flag serves all levels: opening a bracket
  /// starts a level empty, and after closing one the outer level is never empty.
  bool follows_ = false;
};

}  // namespace compass_fabric::proto
