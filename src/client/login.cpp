// SPDX-License-Identifier: Apache-2.0
#include "client/login.hpp"

#include "client/secret_file.hpp"
#include "proto/base32.hpp"
#include "proto/creds.hpp"
#include "proto/nkey.hpp"

namespace compass_fabric::client {
namespace {

constexpr std::size_t signature_size = 64;

/// One overload per way to log in; each returns false after setting `fault`.
struct login_writer {
  proto::connect_fields& fields;
  const std::string& nonce;
  std::string& fault;

  bool fail(std::string why) const {
    fault = std::move(why);
    return false;
  }

  bool operator()(std::monostate) const { return true; }

  bool operator()(const user_password& c) const {
    fields.user = c.user;
    fields.pass = c.password;
    return true;
  }

  bool operator()(const auth_token& c) const {
    fields.auth_token = c.token;
    return true;
  }

  bool operator()(const nkey_seed& c) const { return with_seed(c.seed, "nkey seed"); }

  bool operator()(const nkey_file& c) const {
    const auto text = read_secret_file(c.path, fault);
    if (!text) return false;
    const auto seed = proto::parse_seed_file(text->view(), fault);
    if (!seed) return fail("seed file " + c.path + ": " + fault);
    return with_seed(*seed, "seed file " + c.path);
  }

  bool operator()(const nkey_signer& c) const {
    if (!proto::is_public_nkey(c.public_key, proto::nkey_kind::user))
      return fail("nkey signer: the public key is not a user's (U...)");
    fields.nkey = c.public_key;
    return with_signer(c.sign, "nkey signer");
  }

  bool operator()(const creds_file& c) const {
    const auto text = read_secret_file(c.path, fault);
    return text && with_creds(*text, "credentials file " + c.path);
  }

  bool operator()(const creds_text& c) const { return with_creds(c.text, "credentials"); }

  bool operator()(const user_jwt& c) const {
    if (c.jwt.empty()) return fail("user JWT: it is empty");
    fields.jwt = c.jwt;
    return !c.sign || with_signer(c.sign, "user JWT");
  }

 private:
  bool with_creds(const secret& text, const std::string& name) const {
    auto creds = proto::parse_creds(text.view(), fault);
    if (!creds) return fail(name + ": " + fault);
    if (!with_seed(creds->seed, name)) return false;
    fields.nkey.clear();  // the JWT names the user
    fields.jwt = std::move(creds->jwt);
    return true;
  }

  bool with_seed(const secret& seed, const std::string& name) const {
    const auto key = proto::nkey_pair::from_seed(seed.view(), fault);
    if (!key) return fail(name + ": " + fault);
    if (key->kind() != proto::nkey_kind::user) return fail(name + ": not a user's seed (SU...)");
    fields.nkey = key->public_key();
    return with_signer([&](std::string_view text) { return key->sign(text); }, name);
  }

  bool with_signer(const nonce_signer& sign, const std::string& name) const {
    if (nonce.empty())
      return fail(name + ": the server asks for no signature (no nonce), so it does not know users by key");
    if (!sign) return fail(name + ": no signer");
    const auto signature = sign(nonce);
    if (signature.size() != signature_size)
      return fail(name + ": the signature has " + std::to_string(signature.size()) + " bytes instead of 64");
    fields.sig = proto::encode_base64url(signature);
    return true;
  }
};

}  // namespace

bool add_login(proto::connect_fields& fields, const credentials& how, const std::string& nonce, std::string& fault) {
  return std::visit(login_writer{fields, nonce, fault}, how);
}

}  // namespace compass_fabric::client
