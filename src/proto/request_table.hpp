// SPDX-License-Identifier: Apache-2.0
// Who waits for which reply: all requests of a connection share one inbox, told apart by the last token of the reply.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "proto/slot_table.hpp"

namespace compass_fabric::proto {

/// Requests of type T under tokens that are never used twice, so that a late or second reply finds nobody: it can not
/// be taken for the answer to a later request.
template <class T>
class request_table {
 public:
  /// `inbox` is the common start of all reply subjects, without its final dot; its last token must be unguessable.
  explicit request_table(std::string inbox)
      : prefix_(std::move(inbox) + '.'), reply_(prefix_ + std::string(most_digits, '0')) {}

  /// The subject to subscribe to.
  std::string filter() const { return prefix_ + '*'; }
  /// Registers `request`; 0 when too many wait.
  std::uint64_t open(T* request) { return table_.insert(request); }
  void close(std::uint64_t token) noexcept { table_.erase(token); }

  /// The reply subject of `token`, in storage that the next call reuses.
  std::string_view reply_subject(std::uint64_t token) noexcept {
    char* const start = reply_.data() + prefix_.size();
    char* at = start;
    for (; token != 0; token >>= digit_bits) *at++ = digits[token % base];
    return {reply_.data(), static_cast<std::size_t>(at - reply_.data())};
  }
  /// An inbox for `token` alone, which `filter` does not match.
  std::string own_inbox(std::uint64_t token) { return std::string(reply_subject(token)).append(own); }
  /// The request a reply on `subject` is for, or null.
  T* resolve(std::string_view subject) const noexcept {
    if (!subject.starts_with(prefix_)) return nullptr;
    std::string_view text = subject.substr(prefix_.size());
    if (text.ends_with(own)) text.remove_suffix(own.size());
    if (text.empty() || text.size() > most_digits || text.back() == '0') return nullptr;  // no other form of a token
    std::uint64_t token = 0;
    for (std::size_t i = text.size(); i != 0; --i) {
      const std::uint64_t digit = values[static_cast<unsigned char>(text[i - 1])];
      if (digit == base) return nullptr;
      token = token << digit_bits | digit;
    }
    return table_.find(token);
  }
  /// True for reply subjects of this table.
  bool owns(std::string_view reply) const noexcept { return reply.starts_with(prefix_); }

  std::size_t size() const noexcept { return table_.size(); }
  template <class F>
  void for_each(F&& f) {
    table_.for_each(f);
  }

 private:
  // Tokens are written in 64 digits, the lowest first: fewer bytes than in ten, and no division.
  static constexpr unsigned digit_bits = 6;
  static constexpr std::uint64_t base = 1U << digit_bits;
  static constexpr std::size_t most_digits = 10;  // a key has at most 53 bits
  static constexpr std::string_view own = ".own";
  static constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
  static constexpr std::array<std::uint8_t, 256> values = [] {
    std::array<std::uint8_t, 256> table{};
    table.fill(static_cast<std::uint8_t>(base));
    for (std::size_t i = 0; i < digits.size(); ++i)
      table[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    return table;
  }();

  slot_table<T> table_;
  std::string prefix_;
  std::string reply_;
};

}  // namespace compass_fabric::proto
