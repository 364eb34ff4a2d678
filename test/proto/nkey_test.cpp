// SPDX-License-Identifier: Apache-2.0
#include "proto/nkey.hpp"

#include <catch2/catch_test_macros.hpp>

#include <string>

#include "proto/base32.hpp"

using namespace compass_fabric::proto;

namespace {

const std::string user_seed = "SUAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4H776Y";
const std::string nonce = "PXoWU7zWAMt75FY";

struct vector {
  std::string seed, public_key, signature;
};

nkey_pair pair_of(const std::string& seed) {
  std::string fault;
  auto key = nkey_pair::from_seed(seed, fault);
  INFO(fault);
  REQUIRE(key);
  return std::move(*key);
}

std::string fault_of(const std::string& seed) {
  std::string fault;
  CHECK_FALSE(nkey_pair::from_seed(seed, fault));
  return fault;
}

}  // namespace

TEST_CASE("the checksum of key texts has its check value", "[nkey]") {
  CHECK(crc16("123456789") == 0x31C3);
  CHECK(crc16("") == 0);
}

TEST_CASE("base32 and base64url agree with RFC 4648", "[nkey]") {
  const std::string texts[] = {"", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"};
  for (std::size_t n = 0; n != 7; ++n) {
    const auto bytes = std::string("foobar").substr(0, n);
    CHECK(encode_base32(bytes) == texts[n]);
    CHECK(decode_base32(texts[n]) == bytes);
  }
  CHECK(encode_base64url("foob") == "Zm9vYg");
  CHECK(encode_base64url("\xfb\xff") == "-_8");
  for (const char* const bad : {"my", "M1", "M=", "M", "MZX", "MZ", "MZXW6Y"}) CHECK_FALSE(decode_base32(bad));
}

TEST_CASE("seeds give the known keys and signatures", "[nkey][row27]") {
  const vector known[] = {{user_seed, "UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK",
                           "bnxg5G8aOV2LQdSE_lcM9clxm_fbTTZxsqQ1EpTNgJXmH6z5ezesd49kXfuNhoAqw_DmEtsGcNsJdug9wMuRDQ"},
                          {"SUABCEIRCEIRCEIRCEIRCEIRCEIRCEIRCEIRCEIRCEIRCEIRCEIRCEKPBU",
                           "UDIEVMRSOQV3JKZ2CNUL2RQV4TTNAISKW4NAC25PQUQKGMWJO6DTPSQF",
                           "ifheitp7o6OH4qy8NVuRJln_3Us1mq9VSpo6JsrGx0AlKrjprIA6JKducjB_lHDB_JULcMm0Moii0k_OsiNbBg"}};
  for (const auto& v : known) {
    const auto key = pair_of(v.seed);
    CHECK(key.kind() == nkey_kind::user);
    CHECK(key.public_key() == v.public_key);
    CHECK(encode_base64url(key.sign(nonce)) == v.signature);
  }
  const auto account = pair_of("SAAAAAICAMCAKBQHBAEQUCYMBUHA6EARCIJRIFIWC4MBSGQ3DQOR4HYMHI");
  CHECK(account.kind() == nkey_kind::account);
  CHECK(account.public_key() == "AAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3QPZV");
  CHECK(pair_of("SUAMK2FG4MI6UE3ACF3FK3OIQBCEIEZV7NSWFFEW63UXMRLFM2XLAXK4GY").public_key() ==
        "UAT6BWCSCWLUKJT6K6MBJJOEOTXZ5AJDOYKNEVRFC7VNO6OA43N4TRNO");
}

TEST_CASE("every change of one character of a seed is noticed and none is repeated in the fault", "[nkey]") {
  for (std::size_t at = 0; at != user_seed.size(); ++at) {
    for (const char c : {'A', 'Z', '7', '1', 'a', ' ', '\0'}) {
      auto seed = user_seed;
      if (seed[at] == c) continue;
      seed[at] = c;
      const auto fault = fault_of(seed);
      CHECK_FALSE(fault.empty());
      CHECK(fault.find(user_seed.substr(8, 8)) == std::string::npos);
    }
  }
  for (std::size_t size = 0; size != user_seed.size(); ++size) CHECK_FALSE(fault_of(user_seed.substr(0, size)).empty());
  CHECK_FALSE(fault_of(user_seed + "A").empty());
  CHECK(fault_of("UAB2CB576PHBBPQ5ODORRZ2LYCMWPZGWGCN2KDK7DXOIMZASKUY3RLKK") == "not a seed: it must begin with S");
}

TEST_CASE("a seed of a kind nobody knows is refused", "[nkey]") {
  std::string body{static_cast<char>(144), static_cast<char>(1 << 3)};  // kind 1
  body += std::string(32, 'x');
  const auto crc = crc16(body);
  body += static_cast<char>(crc & 0xff);
  body += static_cast<char>(crc >> 8);
  CHECK(fault_of(encode_base32(body)) == "not a seed of a known kind");
}

TEST_CASE("public keys are told from other text", "[nkey]") {
  const auto key = pair_of(user_seed).public_key();
  CHECK(is_public_nkey(key, nkey_kind::user));
  CHECK_FALSE(is_public_nkey(key, nkey_kind::account));
  CHECK_FALSE(is_public_nkey(key.substr(1), nkey_kind::user));
  CHECK_FALSE(is_public_nkey(user_seed, nkey_kind::user));
  CHECK_FALSE(is_public_nkey("", nkey_kind::user));
}
