// SPDX-License-Identifier: Apache-2.0
// TLS without a socket: ciphertext goes in and comes out as bytes.
//
//   engine.feed(received);
//   if (engine.handshake() == tls_status::done) ...
//   send(engine.output().view());
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <compass_fabric/errc.hpp>

#include "client/tls_context.hpp"
#include "proto/flat_buffer.hpp"

namespace compass_fabric::client {

enum class tls_status : std::uint8_t {
  done,
  /// More bytes from the peer are needed.
  need_input,
  /// The peer ended the stream in an orderly way.
  ended,
  /// `error()` and `error_text()` say why.
  failed,
};

/// One side of one TLS stream. Every call may add to `output()`.
class tls_engine {
 public:
  /// Takes a handle that knows its side and its checks.
  explicit tls_engine(SSL* ssl);
  virtual ~tls_engine() = default;
  tls_engine(const tls_engine&) = delete;
  tls_engine& operator=(const tls_engine&) = delete;

  /// Ciphertext from the peer.
  void feed(std::string_view ciphertext);
  /// Goes on with the handshake; again after each `feed` until it is done.
  tls_status handshake();
  /// Decrypts into `[at, at + room)`; `count` is how much. `need_input` only with `count` 0.
  tls_status read(char* at, std::size_t room, std::size_t& count);
  /// Encrypts all of `plain`. Returns false when the stream has failed.
  bool write(std::string_view plain);
  /// Says good-bye, once.
  void end() noexcept;

  /// Ciphertext for the peer; consume what was sent.
  proto::flat_buffer& output() noexcept { return output_; }

  errc error() const noexcept { return error_; }
  const std::string& error_text() const noexcept { return error_text_; }
  SSL* handle() noexcept { return ssl_.get(); }

 private:
  tls_status status_of(int returned);
  void collect();

  std::unique_ptr<SSL, openssl_delete<&SSL_free>> ssl_;
  BIO* in_;   // owned by ssl_
  BIO* out_;  // owned by ssl_
  proto::flat_buffer output_;
  errc error_{};
  std::string error_text_;
};

}  // namespace compass_fabric::client
