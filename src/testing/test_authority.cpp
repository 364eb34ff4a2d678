// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/testing/test_authority.hpp>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace compass_fabric::testing {
namespace {

template <auto Free>
struct openssl_delete {
  template <class T>
  void operator()(T* object) const noexcept {
    Free(object);
  }
};

using x509_ptr = std::unique_ptr<X509, openssl_delete<&X509_free>>;
using key_ptr = std::unique_ptr<EVP_PKEY, openssl_delete<&EVP_PKEY_free>>;
using bio_ptr = std::unique_ptr<BIO, openssl_delete<&BIO_free>>;
using extension_ptr = std::unique_ptr<X509_EXTENSION, openssl_delete<&X509_EXTENSION_free>>;

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(std::string("test certificate: ") + what);
}

std::string text_of(BIO* bio) {
  char* data = nullptr;
  const auto size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

std::string pem_of(X509* certificate) {
  const bio_ptr out(BIO_new(BIO_s_mem()));
  require(PEM_write_bio_X509(out.get(), certificate) == 1, "certificate cannot be written");
  return text_of(out.get());
}

std::string pem_of(EVP_PKEY* key, const std::string& password) {
  const bio_ptr out(BIO_new(BIO_s_mem()));
  const EVP_CIPHER* const cipher = password.empty() ? nullptr : EVP_aes_256_cbc();
  const auto written = PEM_write_bio_PKCS8PrivateKey(out.get(), key, cipher, password.data(),
                                                     static_cast<int>(password.size()), nullptr, nullptr);
  require(written == 1, "key cannot be written");
  return text_of(out.get());
}

void add_extension(X509* certificate, X509* issuer, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  const extension_ptr extension(X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str()));
  require(extension && X509_add_ext(certificate, extension.get(), -1) == 1, value.c_str());
}

x509_ptr blank(const certificate_request& request, EVP_PKEY* key) {
  x509_ptr certificate(X509_new());
  std::uint64_t serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial >> 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), request.from.count());
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), request.until.count());
  X509_set_pubkey(certificate.get(), key);
  const auto* const name = reinterpret_cast<const unsigned char*>(request.common_name.c_str());
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_UTF8, name, -1, -1, 0);
  return certificate;
}

std::string alternative_names(const certificate_request& request) {
  std::string list;
  for (const auto& name : request.names) list += (list.empty() ? "DNS:" : ",DNS:") + name;
  for (const auto& address : request.addresses) list += (list.empty() ? "IP:" : ",IP:") + address;
  return list;
}

}  // namespace

struct test_authority::state {
  key_ptr key{EVP_EC_gen("P-256")};
  x509_ptr certificate;
};

test_authority::test_authority(const std::string& name) : state_(std::make_unique<state>()) {
  require(state_->key != nullptr, "no key");
  state_->certificate = blank({.common_name = name}, state_->key.get());
  X509* const self = state_->certificate.get();
  X509_set_issuer_name(self, X509_get_subject_name(self));
  add_extension(self, self, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(self, self, NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(self, self, NID_subject_key_identifier, "hash");
  require(X509_sign(self, state_->key.get(), EVP_sha256()) > 0, "cannot be signed");
}

test_authority::~test_authority() = default;

std::string test_authority::pem() const { return pem_of(state_->certificate.get()); }

issued_certificate test_authority::issue(const certificate_request& request) const {
  const key_ptr key(EVP_EC_gen("P-256"));
  require(key != nullptr, "no key");
  const auto certificate = blank(request, key.get());
  X509* const issuer = state_->certificate.get();
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(issuer));
  add_extension(certificate.get(), issuer, NID_basic_constraints, "critical,CA:FALSE");
  add_extension(certificate.get(), issuer, NID_ext_key_usage, "serverAuth,clientAuth");
  const auto names = alternative_names(request);
  if (!names.empty()) add_extension(certificate.get(), issuer, NID_subject_alt_name, names);
  require(X509_sign(certificate.get(), state_->key.get(), EVP_sha256()) > 0, "cannot be signed");
  return {pem_of(certificate.get()), pem_of(key.get(), request.key_password)};
}

}  // namespace compass_fabric::testing
