// SPDX-License-Identifier: Apache-2.0
// The header fields of a received message, read in place: nothing is copied and nothing allocated.
//
//   for (const auto& [name, value] : m.headers()) use(name, value);
//   if (auto trace = m.headers().get("X-Trace")) use(*trace);
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace compass_fabric {

/// One header field as views.
struct header_field {
  std::string_view name;
  std::string_view value;

  friend bool operator==(const header_field&, const header_field&) = default;
};

/// A view over a raw header block: status line and fields in the order they were sent.
///
/// Any bytes may be given. A line that is no field (no colon, an empty or blank name, a bare CR or LF, NUL) is passed
/// over and makes `malformed` true; the rest stays readable. Values have no blanks at either end; other bytes, also
/// those that are not UTF-8, are as the sender wrote them.
/// Lifetime: the block must outlive the view and everything it returns.
/// Threads: reading is safe from several threads.
class headers_view {
 public:
  /// Visits the fields in order; each step parses one line.
  class iterator {
   public:
    using value_type = header_field;
    using difference_type = std::ptrdiff_t;

    iterator() noexcept = default;

    const header_field& operator*() const noexcept { return *field_; }
    const header_field* operator->() const noexcept { return &*field_; }
    iterator& operator++() noexcept;
    iterator operator++(int) noexcept {
      auto before = *this;
      ++*this;
      return before;
    }
    friend bool operator==(const iterator& left, const iterator& right) noexcept {
      return left.rest_.size() == right.rest_.size() && left.field_ == right.field_;
    }
    friend bool operator==(const iterator& at, std::default_sentinel_t) noexcept { return !at.field_; }

   private:
    friend class headers_view;
    explicit iterator(std::string_view lines) noexcept : rest_(lines) { ++*this; }

    std::string_view rest_;
    std::optional<header_field> field_;
  };

  /// A view without fields.
  headers_view() noexcept = default;
  /// A view over `block`: from the version line through the blank line; empty for a message without headers.
  explicit headers_view(std::string_view block) noexcept : block_(block) {}

  /// The three-digit status of the version line; 0 when there is none.
  int status() const noexcept;
  /// The text behind the status without outer blanks; empty when there is none.
  std::string_view description() const noexcept;
  /// The first value of `name`, compared byte by byte as the server does.
  std::optional<std::string_view> get(std::string_view name) const noexcept;
  /// The first value of `name` in any ASCII case.
  std::optional<std::string_view> get_ignore_case(std::string_view name) const noexcept;
  /// Every value of `name` in order, compared byte by byte.
  std::vector<std::string_view> get_all(std::string_view name) const;

  iterator begin() const noexcept;
  std::default_sentinel_t end() const noexcept { return {}; }
  /// True when there is no field; a block may still carry a status.
  bool empty() const noexcept { return begin() == end(); }

  /// True when the block or one of its lines breaks the format. False for an empty block. Reads the whole block.
  bool malformed() const noexcept;
  /// The bytes as received.
  std::string_view raw() const noexcept { return block_; }

 private:
  std::string_view block_;
};

}  // namespace compass_fabric
