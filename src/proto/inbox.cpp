// SPDX-License-Identifier: Apache-2.0
#include "proto/inbox.hpp"

#include "proto/subject.hpp"

#include <utility>

namespace compass_fabric::proto {

namespace {

constexpr std::string_view alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
constexpr unsigned base = 62;

/// Bytes from here on are drawn again, for they would make the first digits likelier than the others.
constexpr unsigned unbiased_limit = 256 / base * base;

/// The step is at least this, so that ids handed out one after the other do not look alike at first sight.
constexpr unsigned smallest_step = 33;

}  // namespace

id_generator::id_generator(random_source random) : random_(std::move(random)) { renew(); }

std::string_view id_generator::next() {
  if (!advance()) renew();
  for (std::size_t at = 0; at < id_size; ++at) text_[at] = alphabet[digits_[at]];
  return {text_.data(), text_.size()};
}

void id_generator::renew() {
  std::array<std::byte, 32> bytes;
  std::size_t drawn = 0;
  while (drawn <= id_size) {
    random_(bytes);
    for (const std::byte byte : bytes) {
      const auto value = std::to_integer<unsigned>(byte);
      if (value >= unbiased_limit) continue;
      const unsigned digit = value % base;
      if (drawn < id_size) {
        digits_[drawn] = static_cast<unsigned char>(digit);
      } else {
        step_ = smallest_step + digit;
      }
      if (++drawn > id_size) break;
    }
  }
}

/// Adds the step to the counting part; false when it overflowed.
bool id_generator::advance() noexcept {
  unsigned carry = step_;
  for (std::size_t at = id_size; carry != 0 && at > random_size; --at) {
    const unsigned sum = digits_[at - 1] + carry;
    digits_[at - 1] = static_cast<unsigned char>(sum % base);
    carry = sum / base;
  }
  return carry == 0;
}

bool valid_inbox_prefix(std::string_view prefix) noexcept {
  return prefix.size() + 1 + id_generator::id_size <= max_subject_size && valid_publish_subject(prefix);
}

std::string inbox_subject(std::string_view prefix, id_generator& ids) {
  std::string subject;
  subject.reserve(prefix.size() + 1 + id_generator::id_size);
  subject += prefix;
  subject += '.';
  subject += ids.next();
  return subject;
}

}  // namespace compass_fabric::proto
