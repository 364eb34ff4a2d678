// SPDX-License-Identifier: Apache-2.0
#include "support/operator_mode.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <stdexcept>

namespace compass_fabric::testing {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("operator_mode: ") + what);
}

std::string digits_of(std::string_view bytes, unsigned width, std::string_view digits) {
  std::string text;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= width;) {
      count -= width;
      text += digits[bits >> count & ((1U << width) - 1)];
    }
  }
  if (count != 0) text += digits[bits << (width - count) & ((1U << width) - 1)];
  return text;
}

std::string base32(std::string_view bytes) { return digits_of(bytes, 5, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"); }
std::string base64url(std::string_view bytes) {
  return digits_of(bytes, 6, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

/// With its checksum, CRC-16/XMODEM, low byte first.
std::string key_text(std::string bytes) {
  unsigned crc = 0;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = ((crc << 1) ^ ((crc & 0x8000U) != 0 ? 0x1021U : 0U)) & 0xffffU;
  }
  bytes += static_cast<char>(crc & 0xff);
  bytes += static_cast<char>(crc >> 8);
  return base32(bytes);
}

using key_handle = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
unsigned char* raw(std::string& s) { return reinterpret_cast<unsigned char*>(s.data()); }
const unsigned char* raw(std::string_view s) { return reinterpret_cast<const unsigned char*>(s.data()); }

key_handle open_key(const std::string& seed) {
  key_handle key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, raw(std::string_view(seed)), seed.size()),
                 &EVP_PKEY_free);
  require(key != nullptr, "no Ed25519");
  return key;
}

std::string sign_jwt(const std::string& claims, const nkey& issuer) {
  const auto body = base64url(R"({"typ":"JWT","alg":"ed25519-nkey"})") + "." + base64url(claims);
  return body + "." + base64url(issuer.sign(body));
}

std::int64_t unix_time() {
  return std::chrono::duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::string claims_of(const nkey& issuer, const std::string& subject, const std::string& name, const std::string& extra,
                      const std::string& nats) {
  return R"({"jti":"T","iat":)" + std::to_string(unix_time()) + R"(,"iss":")" + issuer.public_key() + R"(","name":")" +
         name + R"(","sub":")" + subject + "\"" + extra + R"(,"nats":{)" + nats + "}}";
}

std::string block(const std::string& label, const std::string& value) {
  return "-----BEGIN " + label + "-----\n" + value + "\n------END " + label + "------\n";
}

}  // namespace

nkey::nkey(unsigned char prefix) : raw_(32, '\0') {
  require(RAND_bytes(raw(raw_), 32) == 1, "no randomness");
  const unsigned kind = prefix;
  seed_ = key_text(std::string{static_cast<char>(144U | kind >> 5U), static_cast<char>((kind & 31U) << 3U)} + raw_);
  const auto key = open_key(raw_);
  std::string open(32, '\0');
  std::size_t size = open.size();
  require(EVP_PKEY_get_raw_public_key(key.get(), raw(open), &size) == 1, "no public key");
  public_ = key_text(std::string(1, static_cast<char>(prefix)) + open);
}

std::string nkey::sign(std::string_view data) const {
  const auto key = open_key(raw_);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  require(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
              EVP_DigestSign(context.get(), raw(signature), &size, raw(data), data.size()) == 1,
          "cannot sign");
  return signature;
}

std::string minted_user::creds() const {
  return block("NATS USER JWT", jwt) + "\n****** IMPORTANT ******\nkeep the seed secret\n\n" +
         block("USER NKEY SEED", key.seed());
}

std::string operator_mode::account_jwt(const nkey& account, const std::string& name, bool jetstream,
                                       int connections) const {
  const std::string stores = jetstream ? "-1" : "0";
  return sign_jwt(
      claims_of(operator_, account.public_key(), name, "",
                R"("type":"account","version":2,"limits":{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,)"
                R"("wildcards":true,"leaf":-1,"conn":)" +
                    std::to_string(connections) + R"(,"mem_storage":)" + stores + R"(,"disk_storage":)" + stores +
                    R"(,"streams":-1,"consumer":-1})"),
      operator_);
}

std::string operator_mode::server_config() const {
  const auto op =
      sign_jwt(claims_of(operator_, operator_.public_key(), "OP", "", R"("type":"operator","version":2)"), operator_);
  return "operator: \"" + op + "\"\nsystem_account: " + system_.public_key() +
         "\nresolver: MEMORY\nmax_control_line: 16KB\nresolver_preload {\n  " + system_.public_key() + ": \"" +
         account_jwt(system_, "SYS", false, -1) + "\"\n  " + account_.public_key() + ": \"" +
         account_jwt(account_, "APP", true, max_connections_) + "\"\n}\n";
}

std::string operator_mode::renew(const minted_user& user, const user_claims& claims) const {
  const auto expiry =
      claims.lifetime ? R"(,"exp":)" + std::to_string(unix_time() + claims.lifetime->count()) : std::string();
  return sign_jwt(claims_of(account_, user.key.public_key(), claims.name, expiry,
                            R"("type":"user","version":2,"subs":-1,"data":-1,"payload":-1)" +
                                std::string(claims.bearer ? R"(,"bearer_token":true)" : "")),
                  account_);
}

minted_user operator_mode::make_user(const user_claims& claims) const {
  minted_user user{nkey(160), {}};
  user.jwt = renew(user, claims);
  return user;
}

std::string with_crlf(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

}  // namespace compass_fabric::testing
