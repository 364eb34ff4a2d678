// SPDX-License-Identifier: Apache-2.0
// Ids and inbox subjects that nobody can guess.
//
//   id_generator ids(fill_from_the_system);
//   auto reply = inbox_subject("_INBOX", ids);   // "_INBOX.4kTz...": 22 characters behind the prefix
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace compass_fabric::proto {

/// Fills the span with random bytes. Must come from a cryptographic source, and must not repeat itself for ever.
using random_source = std::function<void(std::span<std::byte>)>;

/// Makes ids of 22 characters from `0-9A-Za-z`: 12 random ones, kept, and 10 that start at random and count up.
///
/// Two ids of one generator never repeat; when the counting part overflows, all 22 are drawn anew. The 12 random
/// characters (71 bits, each of the 62 equally likely) keep ids of other generators apart and make them unguessable for
/// whoever has not seen one of this generator: whoever has can guess its neighbours, so an id is no secret to share.
/// Threads: distinct objects safe, shared objects unsafe.
class id_generator {
 public:
  static constexpr std::size_t id_size = 22;

  /// Draws the first id's characters from `random`, which is kept for later renewals.
  explicit id_generator(random_source random);

  /// The next id; valid until the following call.
  std::string_view next();

 private:
  static constexpr std::size_t random_size = 12;

  void renew();
  bool advance() noexcept;

  random_source random_;
  /// Added to the counting part for each id.
  unsigned step_ = 0;
  /// Values below 62, most significant first.
  std::array<unsigned char, id_size> digits_{};
  std::array<char, id_size> text_{};
};

/// True for a prefix an inbox may have: a valid publish subject that leaves room for the id.
bool valid_inbox_prefix(std::string_view prefix) noexcept;

/// `prefix`, a dot and a new id. Precondition: `valid_inbox_prefix(prefix)`.
std::string inbox_subject(std::string_view prefix, id_generator& ids);

}  // namespace compass_fabric::proto
