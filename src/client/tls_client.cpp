// SPDX-License-Identifier: Apache-2.0
#include "client/tls_client.hpp"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>

namespace compass_fabric::client {
namespace {

using names_ptr = std::unique_ptr<GENERAL_NAMES, openssl_delete<&GENERAL_NAMES_free>>;

std::string text_of(const X509_NAME* name) {
  const std::unique_ptr<BIO, openssl_delete<&BIO_free>> out(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(out.get(), name, 0, XN_FLAG_RFC2253);
  std::string text(BIO_ctrl_pending(out.get()), '\0');
  BIO_read(out.get(), text.data(), static_cast<int>(text.size()));
  return text;
}

std::string text_of_address(const ASN1_OCTET_STRING& octets) {
  const auto* const bytes = ASN1_STRING_get0_data(&octets);
  const int size = ASN1_STRING_length(&octets);
  std::string text;
  for (int i = 0; i < size; ++i) {
    if (size == 4) {
      text += fmt::format("{}{}", i == 0 ? "" : ".", bytes[i]);
    } else {
      text += fmt::format("{}{:02x}", i != 0 && i % 2 == 0 ? ":" : "", bytes[i]);
    }
  }
  return text;
}

std::vector<std::string> names_of(const X509* certificate) {
  std::vector<std::string> result;
  const names_ptr names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME& name = *sk_GENERAL_NAME_value(names.get(), i);
    if (name.type == GEN_DNS) {
      const auto* const text = ASN1_STRING_get0_data(name.d.dNSName);
      result.emplace_back(reinterpret_cast<const char*>(text),
                          static_cast<std::size_t>(ASN1_STRING_length(name.d.dNSName)));
    } else if (name.type == GEN_IPADD) {
      result.push_back(text_of_address(*name.d.iPAddress));
    }
  }
  return result;
}

std::string fingerprint_of(const X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  X509_digest(certificate, EVP_sha256(), digest.data(), &size);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

certificate_info describe(X509_STORE_CTX* chain, bool trusted, std::string host) {
  certificate_info info;
  info.trusted = trusted;
  if (!trusted) info.reason = X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain));
  info.host = std::move(host);
  const X509* const certificate = X509_STORE_CTX_get0_cert(chain);
  if (certificate == nullptr) return info;
  info.subject = text_of(X509_get_subject_name(certificate));
  info.issuer = text_of(X509_get_issuer_name(certificate));
  info.names = names_of(certificate);
  info.fingerprint = fingerprint_of(certificate);
  return info;
}

// Replaces OpenSSL's own check: makes that one, then asks the user. No exception may pass through OpenSSL.
int check_chain(X509_STORE_CTX* chain, void* argument) noexcept {
  const auto& options = *static_cast<const tls_options*>(argument);
  const bool trusted = X509_verify_cert(chain) == 1;
  bool accepted = false;
  try {
    const auto* const ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(chain, SSL_get_ex_data_X509_STORE_CTX_idx()));
    const auto* const host = static_cast<const std::string*>(SSL_get_app_data(ssl));
    accepted = options.verify(describe(chain, trusted, *host));
  } catch (...) {  // counts as refusal
  }
  if (accepted) {
    X509_STORE_CTX_set_error(chain, X509_V_OK);
  } else if (trusted) {
    X509_STORE_CTX_set_error(chain, X509_V_ERR_APPLICATION_VERIFICATION);
  }
  return accepted ? 1 : 0;
}

bool set_host(SSL* ssl, const std::string& host) {
  X509_VERIFY_PARAM* const rules = SSL_get0_param(ssl);
  // RFC 6066 has no addresses in SNI.
  if (proto::is_address(host)) return X509_VERIFY_PARAM_set1_ip_asc(rules, host.substr(0, host.find('%')).c_str()) == 1;
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return X509_VERIFY_PARAM_set1_host(rules, host.data(), host.size()) == 1 &&
         SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
}

/// The engine together with what OpenSSL only points to.
class tls_client final : public tls_engine {
 public:
  tls_client(SSL* ssl, std::string host) : tls_engine(ssl), host_(std::move(host)) { SSL_set_app_data(ssl, &host_); }

 private:
  std::string host_;
};

}  // namespace

std::string_view tls_host(const tls_options& options, const proto::server_url& server) noexcept {
  if (!options.expected_host.empty()) return options.expected_host;
  return server.tls_name.empty() ? server.host : server.tls_name;
}

proto::tls_need tls_need_of(const tls_options& o, const proto::server_url& server, bool seen) noexcept {
  using proto::tls_need;
  switch (o.mode) {
    case tls_mode::disabled: return tls_need::refused;
    case tls_mode::handshake_first:  // settled before the server's INFO; a WebSocket must be wss
      return proto::is_websocket(server.scheme) ? tls_need::always : tls_need::settled;
    case tls_mode::required: return tls_need::always;
    case tls_mode::automatic: break;
  }
  const bool configured =
      !o.ca.empty() || !o.ca_directory.empty() || !o.certificate.empty() || !o.expected_host.empty();
  return configured || seen || proto::is_secure(server.scheme) ? tls_need::always : tls_need::when_asked;
}

std::unique_ptr<tls_engine> make_tls_client(const tls_options& options, std::string_view host, std::string& fault) {
  const auto context = make_tls_context(options, fault);
  if (!context) return nullptr;
  if (options.insecure_skip_verify) {
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_NONE, nullptr);
  } else {
    SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
    if (options.verify)
      SSL_CTX_set_cert_verify_callback(context.get(), &check_chain, const_cast<tls_options*>(&options));
  }
  std::string name(host);
  auto engine = std::make_unique<tls_client>(SSL_new(context.get()), name);
  SSL_set_connect_state(engine->handle());
  if (!set_host(engine->handle(), name)) {
    fault = fmt::format("{:?} cannot be checked in a certificate", name);
    return nullptr;
  }
  return engine;
}

}  // namespace compass_fabric::client
