// SPDX-License-Identifier: Apache-2.0
// NATS key pairs: Ed25519 keys in a text form that names their kind and carries a checksum.
//
//   std::string fault;
//   auto key = nkey_pair::from_seed("SUAAAA...", fault);
//   if (!key) fail(fault);
//   connect.nkey = key->public_key();
//   connect.sig = encode_base64url(key->sign(info.nonce));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <compass_fabric/secret.hpp>

namespace compass_fabric::proto {

/// Whose key it is; the value is the prefix byte, which decides the first letter of the text.
enum class nkey_kind : std::uint8_t {
  account = 0,          // A
  cluster = 2 << 3,     // C
  server = 13 << 3,     // N
  operator_ = 14 << 3,  // O
  user = 20 << 3,       // U
};

/// CRC-16 with polynomial 0x1021, start 0, not reflected (XMODEM).
std::uint16_t crc16(std::string_view bytes) noexcept;

/// A key pair; the seed is wiped with the object.
class nkey_pair {
 public:
  /// Reads the text of a seed (`SU...` for a user). Without success `fault` says what is wrong and never repeats the
  /// seed.
  static std::optional<nkey_pair> from_seed(std::string_view text, std::string& fault);

  nkey_kind kind() const noexcept { return kind_; }
  /// The public key's text, such as `U...`.
  const std::string& public_key() const noexcept { return public_key_; }
  /// The 64 bytes of the signature of `data`; empty when the cryptographic library fails.
  std::string sign(std::string_view data) const;

 private:
  nkey_pair(nkey_kind kind, secret raw_seed, std::string public_key)
      : kind_(kind), raw_seed_(std::move(raw_seed)), public_key_(std::move(public_key)) {}

  nkey_kind kind_;
  secret raw_seed_;
  std::string public_key_;
};

/// True when `text` is the text of a public key of this kind.
bool is_public_nkey(std::string_view text, nkey_kind kind);

}  // namespace compass_fabric::proto
