// SPDX-License-Identifier: Apache-2.0
// Who waits for which reply: all requests of a connection share one inbox, told apart by the last token of the reply.
#pragma once

#include <charconv>
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
  explicit request_table(std::string inbox) : prefix_(std::move(inbox) + '.'), reply_(prefix_) {}

  /// The subject to subscribe to.
  std::string filter() const { return prefix_ + '*'; }
  /// Registers `request`; 0 when too many wait.
  std::uint64_t open(T* request) { return table_.insert(request); }
  void close(std::uint64_t token) noexcept { table_.erase(token); }

  /// The reply subject of `token`, in storage that the next call reuses.
  std::string_view reply_subject(std::uint64_t token) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, token).ptr;
    reply_.resize(prefix_.size());
    return reply_.append(digits, end);
  }
  /// The request a reply on `subject` is for, or null.
  T* resolve(std::string_view subject) const noexcept {
    if (!subject.starts_with(prefix_)) return nullptr;
    std::uint64_t token = 0;
    const char* const end = subject.data() + subject.size();
    const auto parsed = std::from_chars(subject.data() + prefix_.size(), end, token);
    return parsed.ec == std::errc() && parsed.ptr == end ? table_.find(token) : nullptr;
  }
  /// True for reply subjects of this table.
  bool owns(std::string_view reply) const noexcept { return reply.starts_with(prefix_); }

  std::size_t size() const noexcept { return table_.size(); }
  template <class F>
  void for_each(F&& f) {
    table_.for_each(f);
  }

 private:
  slot_table<T> table_;
  std::string prefix_;
  std::string reply_;
};

}  // namespace compass_fabric::proto
