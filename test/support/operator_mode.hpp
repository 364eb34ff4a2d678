// SPDX-License-Identifier: Apache-2.0
// An operator with one account, made up on the spot: the server configuration that trusts it, and users for it.
//
//   operator_mode op;
//   nats_server server({.extra_config = op.server_config()});
//   const auto ann = op.make_user({.lifetime = seconds{5}});
//   write_file(path, ann.creds());
#pragma once

#include <compass_fabric/testing/deadline.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace compass_fabric::testing {

/// An Ed25519 key pair in the text forms that NATS uses.
class nkey {
 public:
  /// A random key; `prefix` is the kind's byte: 112 operator, 0 account, 160 user.
  explicit nkey(unsigned char prefix);

  const std::string& seed() const { return seed_; }
  const std::string& public_key() const { return public_; }
  /// The 64 bytes of the signature.
  std::string sign(std::string_view data) const;

 private:
  std::string raw_;
  std::string seed_;
  std::string public_;
};

/// A user with its JWT.
struct minted_user {
  nkey key;
  std::string jwt;

  /// A credentials file.
  std::string creds() const;
};

struct user_claims {
  std::string name = "user";
  /// The JWT expires so long after it was made.
  std::optional<seconds> lifetime = std::nullopt;
  /// It needs no signature.
  bool bearer = false;
};

class operator_mode {
 public:
  /// Its account takes so many connections at a time; -1 = any number.
  explicit operator_mode(int max_connections = -1) : max_connections_(max_connections) {}

  /// Trusts the operator, with both accounts in a memory resolver.
  std::string server_config() const;
  minted_user make_user(const user_claims& claims = {}) const;
  /// A new JWT for the key of `user`.
  std::string renew(const minted_user& user, const user_claims& claims = {}) const;

 private:
  std::string account_jwt(const nkey& account, const std::string& name, bool jetstream, int connections) const;

  nkey operator_{112};
  nkey system_{0};
  nkey account_{0};
  int max_connections_;
};

/// `text` with CRLF line ends.
std::string with_crlf(std::string_view text);

}  // namespace compass_fabric::testing
