// SPDX-License-Identifier: Apache-2.0
// Header fields to send: ordered, several values per name, and always valid. `headers_view` is the received form.
//
//   headers h;
//   h.add("X-Trace", id).add("Accept", "json").add("Accept", "text");
#pragma once

#include <compass_fabric/headers_view.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace compass_fabric {

/// An ordered list of header fields.
///
/// What is stored can always be written: a field is checked when it enters and refused as a whole. A name is one or
/// more bytes without blank, control byte or colon. A value holds no CR, LF or NUL; blanks and tabs at its ends are
/// removed, other bytes pass unchanged. Names are compared byte by byte unless the function says otherwise. Threads:
/// distinct objects safe, shared objects unsafe.
class headers {
 public:
  using field = std::pair<std::string, std::string>;
  using const_iterator = std::vector<field>::const_iterator;

  headers() = default;
  /// Copies the well-formed fields of `view` in order; its status is not kept.
  explicit headers(const headers_view& view);

  /// Appends a field; earlier ones of the same name stay.
  ///
  /// Errors: throws `errc::invalid_header`; nothing is stored then.
  headers& add(std::string_view name, std::string_view value);
  /// Makes `value` the only value of `name`, at the place of its first occurrence or at the end.
  ///
  /// Errors: throws `errc::invalid_header`; nothing is changed then.
  headers& set(std::string_view name, std::string_view value);
  /// Removes every field called `name`; returns how many there were.
  std::size_t erase(std::string_view name);
  void clear() noexcept { fields_.clear(); }

  /// The first value of `name`; valid until the next change.
  std::optional<std::string_view> get(std::string_view name) const noexcept;
  /// The first value of `name` in any ASCII case; valid until the next change.
  std::optional<std::string_view> get_ignore_case(std::string_view name) const noexcept;
  /// Every value of `name` in order; valid until the next change.
  std::vector<std::string_view> get_all(std::string_view name) const;

  /// The number of fields, counting each value of a name.
  std::size_t size() const noexcept { return fields_.size(); }
  bool empty() const noexcept { return fields_.empty(); }
  const_iterator begin() const noexcept { return fields_.begin(); }
  const_iterator end() const noexcept { return fields_.end(); }

  /// Equal when the same fields stand in the same order.
  friend bool operator==(const headers&, const headers&) = default;

 private:
  std::vector<field> fields_;
};

}  // namespace compass_fabric
