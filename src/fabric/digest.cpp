// SPDX-License-Identifier: Apache-2.0
#include "fabric/digest.hpp"

#include <openssl/sha.h>

#include <array>

namespace compass_fabric::fabric {

std::string sha256_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  std::string text;
  text.reserve(2 * digest.size());
  for (const auto byte : digest) {
    text.push_back(digits[byte >> 4]);
    text.push_back(digits[byte & 15]);
  }
  return text;
}

}  // namespace compass_fabric::fabric
