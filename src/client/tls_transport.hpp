// SPDX-License-Identifier: Apache-2.0
// TLS over any other transport.
#pragma once

#include <memory>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "client/tls_engine.hpp"
#include "client/transport.hpp"
#include "proto/flat_buffer.hpp"

namespace compass_fabric::client {

/// Encrypts what is written and decrypts what is read. Bytes count as written when their ciphertext was handed over
/// whole, so that a lost link tells exactly what had left.
class tls_transport final : public transport {
 public:
  tls_transport(std::unique_ptr<transport> below, std::unique_ptr<tls_engine> engine);

  /// Before anything else. Returns why it failed; `failure_text` explains.
  asio::awaitable<error_code> handshake();

  void async_read_some(asio::mutable_buffer buffer, io_handler handler) override;
  void async_write_some(asio::const_buffer buffer, io_handler handler) override;
  io_result try_write(std::string_view bytes) noexcept override;
  void close() noexcept override;
  asio::any_io_executor executor() override { return below_->executor(); }
  std::string failure_text() const override { return engine_->error_text(); }

 private:
  void read_below(asio::mutable_buffer buffer, io_handler handler);
  void on_read(asio::mutable_buffer buffer, io_handler handler, io_result result);
  bool decrypt(asio::mutable_buffer buffer, io_result& result);
  void write_below(io_handler handler);
  bool encrypt(std::string_view bytes) noexcept;
  bool send_now(error_code& error) noexcept;
  proto::flat_buffer& next_output() noexcept;
  error_code failure() const noexcept { return engine_->error(); }

  std::unique_ptr<transport> below_;
  std::unique_ptr<tls_engine> engine_;
  proto::flat_buffer received_;  // where ciphertext is read to
  proto::flat_buffer sending_;   // ciphertext being handed over; more may gather in the engine meanwhile
  std::size_t prepared_ = 0;     // bytes of the caller whose ciphertext waits
  bool writing_ = false;
};

}  // namespace compass_fabric::client
