// SPDX-License-Identifier: Apache-2.0
#include "client/user_transport.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace compass_fabric::client {
namespace {

/// The code and the text of what a user's coroutine threw.
error_code explain(const std::exception_ptr& failure, std::string& text) {
  try {
    std::rethrow_exception(failure);
  } catch (const system_error& e) {
    text = e.what();
    return e.code();
  } catch (const std::exception& e) {
    text = e.what();
  } catch (...) {
    text = "unknown exception";
  }
  return asio::error::fault;
}

// What is called inside these coroutines throws inside them, also when it is no coroutine itself.
asio::awaitable<std::unique_ptr<byte_stream>> make(std::shared_ptr<pending_user_stream>, const stream_factory& factory,
                                                   dial_target target) {
  auto stream = co_await factory(std::move(target));
  co_return stream;
}
asio::awaitable<std::size_t> read(std::shared_ptr<byte_stream> stream, std::span<char> room) {
  const std::size_t count = co_await stream->read_some(room);
  co_return count;
}
asio::awaitable<std::size_t> write(std::shared_ptr<byte_stream> stream, std::span<const char> bytes) {
  const std::size_t count = co_await stream->write_some(bytes);
  co_return count;
}

class user_transport final : public transport {
 public:
  user_transport(asio::any_io_executor executor, std::unique_ptr<byte_stream> stream)
      : executor_(std::move(executor)), stream_(std::move(stream)) {}

  void async_read_some(asio::mutable_buffer buffer, io_handler handler) override {
    start(read(stream_, {static_cast<char*>(buffer.data()), buffer.size()}), std::move(handler), true);
  }
  void async_write_some(asio::const_buffer buffer, io_handler handler) override {
    start(write(stream_, {static_cast<const char*>(buffer.data()), buffer.size()}), std::move(handler), false);
  }
  io_result try_write(std::string_view) noexcept override { return {}; }
  void close() noexcept override { stream_->close(); }
  asio::any_io_executor executor() override { return executor_; }
  std::string failure_text() const override { return text_; }

 private:
  // An operation that ends without waiting must not call the handler inside the call that started it.
  void start(asio::awaitable<std::size_t> operation, io_handler handler, bool reading) {
    auto on_end = [this, reading, h = std::move(handler)](std::exception_ptr failure, std::size_t n) mutable {
      io_result result{{}, n};
      std::string text;
      if (failure) {
        result = {explain(failure, text), 0};
      } else if (n == 0 && reading) {
        result.error = asio::error::eof;
      } else if (n == 0) {  // asking again and again would keep the context busy
        result.error = asio::error::fault;
        text = "write_some wrote nothing";
      }
      if (text_.empty()) text_ = std::move(text);  // what comes later is the consequence
      asio::post(executor_, [result, h = std::move(h)]() mutable { std::move(h)(result); });
    };
    asio::co_spawn(executor_, std::move(operation), std::move(on_end));
  }

  asio::any_io_executor executor_;
  std::shared_ptr<byte_stream> stream_;
  std::string text_;
};

}  // namespace

pending_user_stream::pending_user_stream(const asio::any_io_executor& executor, stream_factory factory)
    : factory_(std::move(factory)), wake_(executor) {}

asio::awaitable<error_code> pending_user_stream::open(dial_target target, std::string& text) {
  auto making = make(shared_from_this(), factory_, std::move(target));
  auto on_end = [self = shared_from_this()](std::exception_ptr failure, std::unique_ptr<byte_stream> stream) {
    self->made(std::move(failure), std::move(stream));
  };
  asio::co_spawn(wake_.get_executor(), std::move(making),
                 asio::bind_cancellation_slot(cancel_.slot(), std::move(on_end)));
  while (!ended_) {
    wake_.expires_at(asio::steady_timer::time_point::max());
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  text = text_;
  co_return error_;
}

void pending_user_stream::made(std::exception_ptr failure, std::unique_ptr<byte_stream> stream) {
  if (ended_) {
    if (stream) stream->close();
    return;
  }
  ended_ = true;
  stream_ = std::move(stream);
  if (failure) {
    error_ = explain(failure, text_);
  } else if (!stream_) {
    error_ = asio::error::not_connected;
    text_ = "make_stream returned no stream";
  }
  wake_.cancel();
}

void pending_user_stream::abort(error_code reason) noexcept {
  if (ended_) return;
  error_ = reason;
  ended_ = true;
  wake_.cancel();
  cancel_.emit(asio::cancellation_type::terminal);
}

std::unique_ptr<transport> pending_user_stream::take() {
  return std::make_unique<user_transport>(wake_.get_executor(), std::move(stream_));
}

}  // namespace compass_fabric::client
