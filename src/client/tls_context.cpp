// SPDX-License-Identifier: Apache-2.0
#include "client/tls_context.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace compass_fabric::client {
namespace {

using bio_ptr = std::unique_ptr<BIO, openssl_delete<&BIO_free>>;
using x509_ptr = std::unique_ptr<X509, openssl_delete<&X509_free>>;
using key_ptr = std::unique_ptr<EVP_PKEY, openssl_delete<&EVP_PKEY_free>>;

// PEM text that may hold a key: wiped when it goes.
struct pem_text {
  std::string text;
  std::string origin;
  std::string fault;
  pem_text() = default;
  pem_text(const pem_text&) = delete;
  pem_text& operator=(const pem_text&) = delete;
  ~pem_text() { OPENSSL_cleanse(text.data(), text.size()); }

  bio_ptr reader() const { return bio_ptr(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))); }
};

bool load(pem_text& pem, const pem_source& source) {
  pem.origin = source.text.empty() ? source.file : "the PEM text given";
  if (!source.text.empty()) {
    pem.text = source.text;
    return true;
  }
  std::ifstream in(source.file, std::ios::binary | std::ios::ate);
  const auto size = in ? static_cast<std::streamoff>(in.tellg()) : -1;
  if (size < 0) {
    pem.fault = fmt::format("{}: {}", source.file, std::strerror(errno));
    return false;
  }
  pem.text.resize(static_cast<std::size_t>(size));  // at once: growing would leave copies of a key behind
  in.seekg(0);
  in.read(pem.text.data(), size);
  if (!in) pem.fault = fmt::format("{}: cannot be read", source.file);
  return pem.fault.empty();
}

int version_number(tls_version v) noexcept { return v == tls_version::tls1_3 ? TLS1_3_VERSION : TLS1_2_VERSION; }

/// Each `set_` function applies one part of the options and returns what is wrong with it.
std::string set_versions(SSL_CTX* context, const tls_options& o) {
  const bool set = SSL_CTX_set_min_proto_version(context, version_number(o.min_version)) == 1 &&
                   SSL_CTX_set_max_proto_version(context, version_number(o.max_version)) == 1;
  return set ? "" : "TLS versions: " + take_openssl_error("not available");
}

std::string set_ciphers(SSL_CTX* context, const tls_options& o) {
  if (!o.ciphers.empty() && SSL_CTX_set_cipher_list(context, o.ciphers.c_str()) != 1)
    return fmt::format("ciphers {:?}: {}", o.ciphers, take_openssl_error("none is known"));
  if (!o.cipher_suites.empty() && SSL_CTX_set_ciphersuites(context, o.cipher_suites.c_str()) != 1)
    return fmt::format("cipher_suites {:?}: {}", o.cipher_suites, take_openssl_error("none is known"));
  return {};
}

std::string add_authorities(SSL_CTX* context, const pem_source& ca) {
  pem_text pem;
  if (!load(pem, ca)) return "ca: " + pem.fault;
  const bio_ptr in = pem.reader();
  int count = 0;
  while (const x509_ptr certificate{PEM_read_bio_X509_AUX(in.get(), nullptr, nullptr, nullptr)}) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate.get()) != 1)
      return fmt::format("ca: {}: {}", pem.origin, take_openssl_error("refused"));
    ++count;
  }
  ERR_clear_error();  // the end of the text is reported as an error
  return count != 0 ? "" : fmt::format("ca: {} holds no certificate in PEM form", pem.origin);
}

std::string set_trust(SSL_CTX* context, const tls_options& o) {
  if (o.ca.empty() && o.ca_directory.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return {};
  }
  std::error_code unreadable;  // OpenSSL takes what is not there for an empty directory
  if (!o.ca_directory.empty() && !std::filesystem::is_directory(o.ca_directory, unreadable))
    return fmt::format("ca_directory {}: {}", o.ca_directory, unreadable ? unreadable.message() : "is no directory");
  if (!o.ca_directory.empty() && SSL_CTX_load_verify_dir(context, o.ca_directory.c_str()) != 1)
    return fmt::format("ca_directory {}: {}", o.ca_directory, take_openssl_error("cannot be used"));
  return o.ca.empty() ? std::string() : add_authorities(context, o.ca);
}

std::string set_certificate(SSL_CTX* context, const pem_source& source) {
  pem_text pem;
  if (!load(pem, source)) return "certificate: " + pem.fault;
  const bio_ptr in = pem.reader();
  const x509_ptr own{PEM_read_bio_X509_AUX(in.get(), nullptr, nullptr, nullptr)};
  if (!own) return fmt::format("certificate: {}: {}", pem.origin, take_openssl_error("no certificate in PEM form"));
  if (SSL_CTX_use_certificate(context, own.get()) != 1)
    return fmt::format("certificate: {}: {}", pem.origin, take_openssl_error("refused"));
  while (x509_ptr intermediate{PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr)}) {
    if (SSL_CTX_add0_chain_cert(context, intermediate.get()) != 1)
      return fmt::format("certificate: {}: {}", pem.origin, take_openssl_error("refused"));
    intermediate.release();
  }
  ERR_clear_error();
  return {};
}

// Always set: OpenSSL's own function would ask at the terminal.
int give_password(char* buffer, int size, int, void* password) {
  const auto text = static_cast<const secret*>(password)->view();
  if (text.size() > static_cast<std::size_t>(size)) return -1;
  std::copy(text.begin(), text.end(), buffer);
  return static_cast<int>(text.size());
}

std::string set_key(SSL_CTX* context, const tls_options& o) {
  pem_text pem;
  // A key may stand in the certificate's file.
  if (!load(pem, o.key.empty() ? o.certificate : o.key)) return "key: " + pem.fault;
  const bio_ptr in = pem.reader();
  auto* const password = const_cast<secret*>(&o.key_password);  // read only
  const key_ptr key{PEM_read_bio_PrivateKey(in.get(), nullptr, &give_password, password)};
  if (!key) return fmt::format("key: {}: {}", pem.origin, take_openssl_error("no private key in PEM form"));
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
    return fmt::format("key: {}: {}", pem.origin, take_openssl_error("does not belong to the certificate"));
  return {};
}

std::string set_identity(SSL_CTX* context, const tls_options& o) {
  if (o.certificate.empty()) return {};
  auto fault = set_certificate(context, o.certificate);
  return fault.empty() ? set_key(context, o) : fault;
}

}  // namespace

std::string take_openssl_error(const char* otherwise) {
  const auto code = ERR_get_error();
  ERR_clear_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason != nullptr ? reason : otherwise;
}

ssl_context_ptr make_tls_context(const tls_options& o, std::string& fault) {
  ERR_clear_error();
  ssl_context_ptr context(SSL_CTX_new(TLS_client_method()));
  if (!context) {
    fault = take_openssl_error("no context");
    return context;
  }
  SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context.get(),
                   SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
  for (auto* const set : {&set_versions, &set_ciphers, &set_trust, &set_identity}) {
    fault = (*set)(context.get(), o);
    if (!fault.empty()) return nullptr;
  }
  return context;
}

}  // namespace compass_fabric::client
