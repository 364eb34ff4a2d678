// SPDX-License-Identifier: Apache-2.0
// OpenSSL's context for one attempt: made anew each time, so that files that changed are read again.
#pragma once

#include <memory>
#include <string>

#include <openssl/ssl.h>

#include <compass_fabric/tls_options.hpp>

namespace compass_fabric::client {

/// Deletes OpenSSL's objects with the function that belongs to them.
template <auto Free>
struct openssl_delete {
  template <class T>
  void operator()(T* object) const noexcept {
    Free(object);
  }
};

using ssl_context_ptr = std::unique_ptr<SSL_CTX, openssl_delete<&SSL_CTX_free>>;

/// A client's context as `options` say: versions, ciphers, trust and own certificate. Nothing when one of them cannot
/// be used; `fault` then says which and why, without repeating secrets.
ssl_context_ptr make_tls_context(const tls_options& options, std::string& fault);

/// OpenSSL's text for the oldest error of this thread, whose queue is emptied; `otherwise` when there is none.
std::string take_openssl_error(const char* otherwise);

}  // namespace compass_fabric::client
