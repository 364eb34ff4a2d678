// SPDX-License-Identifier: Apache-2.0
// How a connection uses TLS: when, whom it trusts, what it shows of itself.
//
//   connect_options options;
//   options.servers = {"tls://nats.example.com:4222"};
//   options.tls.ca.file = "/etc/nats/ca.pem";
//   options.tls.certificate.file = "/etc/nats/me.pem";
//   options.tls.key.file = "/etc/nats/me.key";
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <compass_fabric/secret.hpp>

namespace compass_fabric {

/// When a connection is encrypted. Whatever the mode, a link that was to be encrypted never goes on in plain text, and
/// once one link of a connection was encrypted, all later ones must be.
enum class tls_mode {
  /// Encrypted when the address says tls or wss, when `ca`, `certificate` or `expected_host` is set, or when the server
  /// asks for it.
  automatic,
  /// Always; a server without TLS fails with `errc::tls_required` before anything of the login is sent.
  required,
  /// Always, from the first byte on instead of after the server's INFO; for servers that listen with
  /// `handshake_first`.
  handshake_first,
  /// Never; a server that asks for TLS fails with `errc::tls_required`.
  disabled,
};

enum class tls_version { tls1_2, tls1_3 };

/// Certificates or a key in PEM form, as text or in a file that is read again at every attempt to connect, so that a
/// renewed one is taken without a restart. The text wins when both are given.
struct pem_source {
  std::string file;
  std::string text;

  bool empty() const noexcept { return file.empty() && text.empty(); }
};

/// What a server showed, for a user's own check.
struct certificate_info {
  /// The outcome of the built-in check of chain, dates and name, and its reason when that failed.
  bool trusted = false;
  std::string reason;
  /// The name or address the certificate was checked against.
  std::string host;
  /// Distinguished names in the form of RFC 2253.
  std::string subject;
  std::string issuer;
  /// The names and addresses the certificate is valid for (subjectAltName).
  std::vector<std::string> names;
  /// SHA-256 of the certificate, 64 lower-case hexadecimal digits.
  std::string fingerprint;
};

/// Everything about TLS. The defaults check chain, dates and host name against the system's authorities and offer
/// TLS 1.2 and 1.3.
///
/// Faults in what is configured (a file that cannot be read, no PEM, a key of another certificate) fail each attempt
/// with `errc::tls_setup_failed`, for the files may be right the next time.
struct tls_options {
  tls_mode mode = tls_mode::automatic;

  /// The authorities to trust instead of the system's.
  pem_source ca;
  /// A directory of authorities named by hash (`openssl rehash`), in addition to `ca`.
  std::string ca_directory;

  /// This client's certificate, followed by its intermediates, for servers that ask for one; and its key.
  pem_source certificate;
  pem_source key;
  /// Of an encrypted key. Never printed.
  secret key_password;

  /// The name to check and to ask for (SNI) instead of the address's host. Without it, a server known by an IP address
  /// that another server announced is checked against that server's name.
  std::string expected_host;

  tls_version min_version = tls_version::tls1_2;
  tls_version max_version = tls_version::tls1_3;
  /// OpenSSL cipher list for TLS 1.2; empty = OpenSSL's default.
  std::string ciphers;
  /// OpenSSL cipher suites for TLS 1.3, separated by colons; empty = OpenSSL's default.
  std::string cipher_suites;

  /// Called once per handshake after the built-in check; what it returns decides, so it can pin a certificate
  /// (`info.trusted && info.fingerprint == known`) or accept what the built-in check refuses. An exception counts as
  /// refusal. Runs on the connection's executor and must not block.
  std::function<bool(const certificate_info&)> verify;
  /// Accepts any certificate. Anyone on the path can then read and change everything; each link made this way raises
  /// an `insecure_tls` event. Excludes `verify`.
  bool insecure_skip_verify = false;
};

}  // namespace compass_fabric
