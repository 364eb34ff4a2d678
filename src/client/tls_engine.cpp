// SPDX-License-Identifier: Apache-2.0
#include "client/tls_engine.hpp"

#include <algorithm>
#include <climits>
#include <new>

#include <openssl/err.h>
#include <openssl/x509_vfy.h>

namespace compass_fabric::client {
namespace {

int clipped(std::size_t size) noexcept { return static_cast<int>(std::min<std::size_t>(size, INT_MAX)); }

}  // namespace

tls_engine::tls_engine(SSL* ssl) : ssl_(ssl), in_(BIO_new(BIO_s_mem())), out_(BIO_new(BIO_s_mem())) {
  if (ssl == nullptr || in_ == nullptr || out_ == nullptr) throw std::bad_alloc();
  SSL_set_bio(ssl, in_, out_);
}

void tls_engine::feed(std::string_view ciphertext) {
  // A memory BIO takes everything.
  while (!ciphertext.empty()) {
    const int taken = BIO_write(in_, ciphertext.data(), clipped(ciphertext.size()));
    if (taken <= 0) throw std::bad_alloc();
    ciphertext.remove_prefix(static_cast<std::size_t>(taken));
  }
}

tls_status tls_engine::handshake() {
  if (error_ != errc{}) return tls_status::failed;
  ERR_clear_error();
  const auto status = status_of(SSL_do_handshake(ssl_.get()));
  collect();
  return status;
}

tls_status tls_engine::read(char* at, std::size_t room, std::size_t& count) {
  count = 0;
  if (error_ != errc{}) return tls_status::failed;
  auto status = tls_status::done;
  while (count < room && status == tls_status::done) {
    std::size_t got = 0;
    ERR_clear_error();
    status = status_of(SSL_read_ex(ssl_.get(), at + count, room - count, &got));
    count += got;
  }
  collect();
  // What came before an end or a failure is delivered first: both are told again.
  return count != 0 ? tls_status::done : status;
}

bool tls_engine::write(std::string_view plain) {
  while (!plain.empty() && error_ == errc{}) {
    std::size_t taken = 0;
    ERR_clear_error();
    if (status_of(SSL_write_ex(ssl_.get(), plain.data(), plain.size(), &taken)) != tls_status::done) break;
    plain.remove_prefix(taken);
  }
  collect();
  return plain.empty();
}

void tls_engine::end() noexcept {
  if (error_ != errc{} || SSL_is_init_finished(ssl_.get()) == 0) return;
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
  collect();
}

tls_status tls_engine::status_of(int returned) {
  if (returned > 0) return tls_status::done;
  switch (SSL_get_error(ssl_.get(), returned)) {
    case SSL_ERROR_WANT_READ: return tls_status::need_input;
    case SSL_ERROR_ZERO_RETURN: return tls_status::ended;
    default: break;
  }
  const auto verdict = SSL_get_verify_result(ssl_.get());
  const bool checking = SSL_is_init_finished(ssl_.get()) == 0 && SSL_get_verify_mode(ssl_.get()) != SSL_VERIFY_NONE;
  if (checking && verdict != X509_V_OK) {
    error_ = errc::certificate_refused;
    error_text_ = X509_verify_cert_error_string(verdict);
    ERR_clear_error();
  } else {
    error_ = errc::tls_failed;
    error_text_ = take_openssl_error("the stream is broken");
  }
  return tls_status::failed;
}

void tls_engine::collect() {
  for (std::size_t waiting = BIO_ctrl_pending(out_); waiting != 0; waiting = BIO_ctrl_pending(out_)) {
    const int count = BIO_read(out_, output_.prepare(waiting), clipped(waiting));
    if (count <= 0) break;
    output_.commit(static_cast<std::size_t>(count));
  }
}

}  // namespace compass_fabric::client
