// SPDX-License-Identifier: Apache-2.0
#include "proto/outbox.hpp"

#include <algorithm>
#include <charconv>

namespace compass_fabric::proto {
namespace {

// A send buffer that grew for a burst is given back once it is empty.
constexpr std::size_t retained_capacity = 2 * 1024 * 1024;

struct operation {
  std::size_t size = 0;  // whole, with payload and line ends
  bool is_publish = false;
  buffered_publish publish{};
};

std::string_view next_field(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view field = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return field;
}

// Reads one operation that this library wrote itself: single blanks, CRLF, correct counts.
operation read_operation(std::string_view bytes) {
  std::string_view line = bytes.substr(0, bytes.find("\r\n"));
  operation op;
  op.size = line.size() + 2;
  const bool with_headers = line.starts_with("HPUB ");
  if (!with_headers && !line.starts_with("PUB ")) return op;
  line.remove_prefix(with_headers ? 5 : 4);
  op.is_publish = true;
  op.publish.subject = next_field(line);
  const auto blanks = std::count(line.begin(), line.end(), ' ');
  if (blanks == (with_headers ? 2 : 1)) op.publish.reply = next_field(line);
  if (with_headers) next_field(line);
  std::from_chars(line.data(), line.data() + line.size(), op.publish.size);
  op.size += op.publish.size + 2;
  return op;
}

}  // namespace

std::string_view outbox::front() {
  if (sending_.empty()) {
    if (seal_ == 0) return {};
    sending_.swap(pending_);
    sent_ = 0;
    if (seal_ != open) hold_back();
  }
  return sending_.view().substr(sent_);
}

void outbox::hold_back() {
  pending_.append(sending_.view().substr(seal_));
  sending_.truncate(seal_);
  seal_ = 0;
}

void outbox::wrote(std::size_t n) noexcept {
  sent_ += n;
  if (sent_ < sending_.size()) return;
  sending_.clear();
  sending_.shrink(retained_capacity);
  sent_ = 0;
}

std::size_t outbox::keep_publishes(const std::function<bool(const buffered_publish&)>& keep) {
  flat_buffer kept;
  std::size_t count = 0;
  const auto sift = [&](std::string_view bytes, std::size_t already_sent) {
    for (std::size_t at = 0; at < bytes.size();) {
      const operation op = read_operation(bytes.substr(at));
      if (at + op.size > already_sent && op.is_publish && keep(op.publish)) {
        kept.append(bytes.substr(at, op.size));
        ++count;
      }
      at += op.size;
    }
  };
  sift(sending_.view(), sent_);
  sift(pending_.view(), 0);
  sending_.clear();
  sent_ = 0;
  seal_ = open;
  pending_.swap(kept);
  return count;
}

void outbox::drop_oldest(const std::function<void(const buffered_publish&)>& dropped) {
  if (pending_.empty()) return;
  const operation op = read_operation(pending_.view());
  if (op.is_publish) dropped(op.publish);
  pending_.consume(op.size);
}

}  // namespace compass_fabric::proto
