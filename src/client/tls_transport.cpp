// SPDX-License-Identifier: Apache-2.0
#include "client/tls_transport.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include "client/transport_io.hpp"

namespace compass_fabric::client {
namespace {

// Four records: enough for one system call, little enough that a slow peer holds back little.
constexpr std::size_t largest_piece = 64 * 1024;
// A handshake flight with a chain of certificates.
constexpr std::size_t handshake_read = 16 * 1024;

}  // namespace

tls_transport::tls_transport(std::unique_ptr<transport> below, std::unique_ptr<tls_engine> engine)
    : below_(std::move(below)), engine_(std::move(engine)) {}

asio::awaitable<error_code> tls_transport::handshake() {
  for (;;) {
    const auto status = engine_->handshake();
    auto& output = engine_->output();
    while (!output.empty()) {  // also an alert that tells the peer why
      const auto bytes = output.view();
      const io_result sent = co_await write_some(*below_, asio::buffer(bytes.data(), bytes.size()));
      if (sent.error && status != tls_status::failed) co_return sent.error;
      if (sent.error) break;
      output.consume(sent.bytes);
    }
    if (status == tls_status::done) co_return error_code{};
    if (status != tls_status::need_input) co_return status == tls_status::failed ? failure() : asio::error::eof;
    char* const at = received_.prepare(handshake_read);
    const io_result got = co_await read_some(*below_, asio::buffer(at, handshake_read));
    if (got.error) co_return got.error;
    engine_->feed({at, got.bytes});
  }
}

void tls_transport::async_read_some(asio::mutable_buffer buffer, io_handler handler) {
  io_result result;
  if (!decrypt(buffer, result)) {
    read_below(buffer, std::move(handler));
    return;
  }
  asio::post(below_->executor(), [h = std::move(handler), result]() mutable { std::move(h)(result); });
}

// Never more ciphertext than the caller's buffer can hold decrypted: then nothing stays behind.
void tls_transport::read_below(asio::mutable_buffer buffer, io_handler handler) {
  const std::size_t size = std::min(buffer.size(), largest_piece);
  char* const at = received_.prepare(size);
  below_->async_read_some(asio::buffer(at, size), [this, buffer, h = std::move(handler)](io_result result) mutable {
    on_read(buffer, std::move(h), result);
  });
}

void tls_transport::on_read(asio::mutable_buffer buffer, io_handler handler, io_result result) {
  if (!result.error) {
    engine_->feed({received_.prepare(0), result.bytes});
    const bool told = decrypt(buffer, result);
    // A key update is answered at once if the peer takes it; else before the next write.
    error_code ignored;
    if (!writing_) send_now(ignored);
    if (!told) {
      read_below(buffer, std::move(handler));
      return;
    }
  }
  std::move(handler)(result);
}

// False when more ciphertext is needed first.
bool tls_transport::decrypt(asio::mutable_buffer buffer, io_result& result) {
  result = {};
  switch (engine_->read(static_cast<char*>(buffer.data()), buffer.size(), result.bytes)) {
    case tls_status::done: return true;
    case tls_status::need_input: return false;
    case tls_status::ended: result.error = asio::error::eof; return true;
    case tls_status::failed: result.error = failure(); return true;
  }
  return true;
}

io_result tls_transport::try_write(std::string_view bytes) noexcept {
  io_result result;
  if (writing_) return result;
  for (;;) {
    if (!send_now(result.error)) return result;
    result.bytes += std::exchange(prepared_, 0);
    if (result.bytes == bytes.size()) return result;
    if (!encrypt(bytes.substr(result.bytes))) {
      result.error = failure();
      return result;
    }
  }
}

void tls_transport::async_write_some(asio::const_buffer buffer, io_handler handler) {
  const std::string_view bytes(static_cast<const char*>(buffer.data()), buffer.size());
  if (prepared_ == 0 && !encrypt(bytes)) {
    asio::post(below_->executor(), [this, h = std::move(handler)]() mutable { std::move(h)(io_result{failure(), 0}); });
    return;
  }
  writing_ = true;
  write_below(std::move(handler));
}

void tls_transport::write_below(io_handler handler) {
  const auto bytes = next_output().view();
  below_->async_write_some(asio::buffer(bytes.data(), bytes.size()),
                           [this, h = std::move(handler)](io_result sent) mutable {
                             if (!sent.error) {
                               sending_.consume(sent.bytes);
                               if (!next_output().empty()) {
                                 write_below(std::move(h));
                                 return;
                               }
                               sent.bytes = std::exchange(prepared_, 0);
                             } else {
                               sent.bytes = 0;
                             }
                             writing_ = false;
                             std::move(h)(sent);
                           });
}

bool tls_transport::encrypt(std::string_view bytes) noexcept {
  bytes = bytes.substr(0, largest_piece);
  if (!engine_->write(bytes)) return false;
  prepared_ = bytes.size();
  return true;
}

// True when everything encrypted so far was handed over.
bool tls_transport::send_now(error_code& error) noexcept {
  while (!next_output().empty()) {
    const io_result sent = below_->try_write(sending_.view());
    error = sent.error;
    if (error) return false;
    sending_.consume(sent.bytes);
    if (!sending_.empty()) return false;
  }
  return true;
}

proto::flat_buffer& tls_transport::next_output() noexcept {
  if (sending_.empty()) sending_.swap(engine_->output());
  return sending_;
}

void tls_transport::close() noexcept {
  error_code ignored;
  engine_->end();
  if (!writing_) send_now(ignored);  // a good-bye the peer may or may not take
  below_->close();
}

}  // namespace compass_fabric::client
