// SPDX-License-Identifier: Apache-2.0
#include "proto/nkey.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "proto/base32.hpp"

namespace compass_fabric::proto {
namespace {

constexpr unsigned seed_prefix = 18U << 3;  // S
constexpr std::size_t key_size = 32;
constexpr std::size_t crc_size = 2;

struct key_free {
  void operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }
};
struct digest_free {
  void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
};
using key_handle = std::unique_ptr<EVP_PKEY, key_free>;

const unsigned char* as_bytes(std::string_view text) noexcept {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* as_bytes(std::string& text) noexcept { return reinterpret_cast<unsigned char*>(text.data()); }

key_handle make_key(std::string_view raw_seed) {
  return key_handle(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, as_bytes(raw_seed), raw_seed.size()));
}

/// The content of a key text without its checksum; empty when the text or the checksum is wrong.
secret decode_checked(std::string_view text, std::size_t size) {
  auto bytes = decode_base32(text);
  if (!bytes) return {};
  const std::size_t body = bytes->size() < crc_size ? 0 : bytes->size() - crc_size;
  bool good = body == size;
  if (good) {
    const auto low = static_cast<unsigned char>((*bytes)[body]);
    const auto high = static_cast<unsigned char>((*bytes)[body + 1]);
    good = crc16(std::string_view(*bytes).substr(0, body)) == (high << 8 | low);
  }
  secret result(std::string_view(*bytes).substr(0, good ? body : 0));
  wipe(*bytes);
  return result;
}

std::string encode_checked(std::string body) {
  const std::uint16_t crc = crc16(body);
  body.push_back(static_cast<char>(crc & 0xff));
  body.push_back(static_cast<char>(crc >> 8));
  return encode_base32(body);
}

std::string public_text(nkey_kind kind, EVP_PKEY* key) {
  std::string raw(key_size, '\0');
  std::size_t size = raw.size();
  if (EVP_PKEY_get_raw_public_key(key, as_bytes(raw), &size) != 1 || size != key_size) return {};
  return encode_checked(std::string(1, static_cast<char>(kind)) + raw);
}

bool is_known(unsigned kind) noexcept {
  constexpr std::array known{nkey_kind::account, nkey_kind::cluster, nkey_kind::server, nkey_kind::operator_,
                             nkey_kind::user};
  return std::any_of(known.begin(), known.end(), [&](nkey_kind k) { return static_cast<unsigned>(k) == kind; });
}

}  // namespace

std::uint16_t crc16(std::string_view bytes) noexcept {
  unsigned crc = 0;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(c)) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? crc << 1 ^ 0x1021U : crc << 1;
    crc &= 0xffffU;
  }
  return static_cast<std::uint16_t>(crc);
}

std::optional<nkey_pair> nkey_pair::from_seed(std::string_view text, std::string& fault) {
  const auto fail = [&](const char* why) {
    fault = why;
    return std::nullopt;
  };
  if (text.empty()) return fail("the seed is empty");
  if (text.front() != 'S') return fail("not a seed: it must begin with S");
  const secret body = decode_checked(text, 2 + key_size);
  if (body.empty()) return fail("the seed is damaged: wrong length, character or checksum");
  const auto first = static_cast<unsigned char>(body.view()[0]);
  const auto second = static_cast<unsigned char>(body.view()[1]);
  const unsigned kind = (first & 7U) << 5 | second >> 3U;
  if ((first & 0xf8U) != seed_prefix || (second & 7U) != 0 || !is_known(kind))
    return fail("not a seed of a known kind");
  const auto raw = body.view().substr(2);
  const auto key = make_key(raw);
  auto public_key = key ? public_text(static_cast<nkey_kind>(kind), key.get()) : std::string();
  if (public_key.empty()) return fail("the cryptographic library does not take Ed25519 keys");
  return nkey_pair(static_cast<nkey_kind>(kind), secret(raw), std::move(public_key));
}

std::string nkey_pair::sign(std::string_view data) const {
  const auto key = make_key(raw_seed_.view());
  const std::unique_ptr<EVP_MD_CTX, digest_free> context(EVP_MD_CTX_new());
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  if (!key || !context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), as_bytes(signature), &size, as_bytes(data), data.size()) != 1)
    return {};
  return signature;
}

bool is_public_nkey(std::string_view text, nkey_kind kind) {
  const secret body = decode_checked(text, 1 + key_size);
  return !body.empty() && static_cast<unsigned char>(body.view()[0]) == static_cast<unsigned>(kind);
}

}  // namespace compass_fabric::proto
