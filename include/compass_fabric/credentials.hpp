// SPDX-License-Identifier: Apache-2.0
// How a connection logs in. Files are read, seeds used and callbacks asked at every attempt, so that what was renewed
// meanwhile is picked up and each server's nonce gets a signature of its own.
//
//   options.auth = creds_file{"/run/secrets/orders.creds"};
//   options.auth_callback = [&](const login_request& r) -> credentials { return user_jwt{vault.jwt(), vault.signer()};
//   };
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include <boost/asio/awaitable.hpp>

#include <compass_fabric/error.hpp>
#include <compass_fabric/secret.hpp>

namespace compass_fabric {

/// Signs a server's nonce, its bytes exactly as given, with Ed25519 and returns the 64 bytes of the signature. For keys
/// that stay elsewhere: an HSM, an agent, a vault. An exception ends the attempt with `invalid_credentials`.
using nonce_signer = std::function<std::string(std::string_view nonce)>;

/// Name and password; the server may keep the password as a bcrypt hash.
struct user_password {
  std::string user;
  secret password;
};

/// One token for all.
struct auth_token {
  secret token;
};

/// A user's key pair: the seed text `SU...`.
struct nkey_seed {
  secret seed;
};

/// A file with the seed, on a line of its own or in an armoured block.
struct nkey_file {
  std::string path;
};

/// A key pair whose seed this process never sees: the public key `U...` and something that signs with its seed.
struct nkey_signer {
  std::string public_key;
  nonce_signer sign;
};

/// A credentials file: the user's JWT and seed in armoured blocks. Line ends may be LF or CRLF.
struct creds_file {
  std::string path;
};

/// The text of such a file.
struct creds_text {
  secret text;
};

/// A user's JWT and what signs for it; no signer for a bearer JWT.
struct user_jwt {
  secret jwt;
  nonce_signer sign;
};

/// One way to log in; the first is none.
using credentials = std::variant<std::monostate, user_password, auth_token, nkey_seed, nkey_file, nkey_signer,
                                 creds_file, creds_text, user_jwt>;

/// What is known when credentials are asked for.
struct login_request {
  /// Address of the server that asks, without credentials.
  std::string server;
  /// What this server wants signed; empty when it does not ask for signatures. New for every link.
  std::string nonce;
  /// Attempts of this connection so far, this one included.
  std::uint64_t attempt = 0;
  /// Why the attempt or the link before this one ended; no error at first. `authentication_expired` and
  /// `authorization_violation` ask for new credentials.
  error_code last_error;
};

/// Gives the credentials for one attempt, on the connection's executor; it must not block. An exception fails that
/// attempt with `invalid_credentials` and its text; the next one asks again.
using auth_function = std::function<credentials(const login_request&)>;

/// As `auth_function`, for credentials that come over the network. Runs within the attempt's `connect_timeout`; when
/// that passes it is cancelled (terminal).
using async_auth_function = std::function<boost::asio::awaitable<credentials>(login_request)>;

}  // namespace compass_fabric
