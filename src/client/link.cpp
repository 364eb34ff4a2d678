// SPDX-License-Identifier: Apache-2.0
#include "client/link.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "client/connection_core.hpp"
#include "client/transport_io.hpp"
#include "proto/serializer.hpp"

namespace compass_fabric::client {
namespace {

constexpr std::size_t first_read_size = 64 * 1024;
constexpr std::size_t largest_read_size = 128 * 1024;

}  // namespace

link::link(connection_core& core, link_stream made, proto::connect_fields login)
    : core_(core),
      transport_(std::move(made.stream)),
      tls_host_(std::move(made.host)),
      login_(std::move(login)),
      session_(made.tls),
      keep_alive_(core.options().max_pings_outstanding),
      ping_alarm_([this] { on_ping_interval(); }),
      write_alarm_([this] { close(errc::write_timeout); }),
      leave_alarm_([this] { close(leaving_); }),
      read_size_(first_read_size),
      secured_(made.secured) {}

// The reason given to close() explains an I/O error better than the error itself; so does what the server said before.
error_code link::reason_for(error_code io_error) {
  if (reason_) return reason_;
  if (io_error.category() == nats_category() && !transport_->failure_text().empty())
    session_.on_transport_error(static_cast<errc>(io_error.value()), transport_->failure_text());
  if (session_.failure() != errc{}) return session_.failure();
  return io_error;
}

asio::awaitable<error_code> link::read() {
  while (!closed_) {
    if (core_.in().reading_stopped()) {
      co_await reading_resumed();
    } else if (!held_back_) {
      if (const auto ec = co_await read_once()) co_return reason_for(ec);
    }
    const scheduler::batch turn(core_.turns());
    parse();
  }
  co_return reason_for(errc::connection_lost);
}

asio::awaitable<void> link::reading_resumed() {
  while (core_.in().reading_stopped() && !closed_) {
    reading_pause_.emplace(core_.turns().executor(), asio::steady_timer::time_point::max());
    co_await reading_pause_->async_wait(asio::as_tuple(asio::use_awaitable));
  }
  reading_pause_.reset();
  keep_alive_.on_data();  // the silence was ours
}

void link::resume_reading() noexcept {
  if (reading_pause_) reading_pause_->cancel();
}

asio::awaitable<error_code> link::read_once() {
  const std::size_t missing = parser_.needed() > in_.size() ? parser_.needed() - in_.size() : 0;
  char* const at = in_.prepare(std::max(missing, read_size_));
  const std::size_t room = std::min(in_.room(), std::max(missing, largest_read_size));
  const io_result result = co_await read_some(*transport_, asio::buffer(at, room));
  if (result.error) co_return result.error;
  if (closed_) co_return error_code(errc::connection_lost);
  in_.commit(result.bytes);
  received_ += result.bytes;
  // A full read means more was waiting: fewer, larger reads serve a burst better.
  if (result.bytes >= read_size_) read_size_ = std::min(read_size_ * 2, largest_read_size);
  co_return error_code{};
}

void link::parse() {
  proto::frame f;
  held_back_ = false;
  const std::size_t unread = in_.size();
  for (;;) {
    const proto::parse_result r = parser_.parse(in_.view(), f);
    if (r.status == proto::parse_status::need_more) break;
    const bool go_on = r.status == proto::parse_status::frame ? act(f, session_.on_frame(f))
                                                              : act(f, session_.on_parse_error(parser_.error()));
    in_.consume(r.consumed);
    // CONNECT comes before every answer, and TLS before CONNECT.
    if (!go_on || closed_ || greeted_ || session_.current() == proto::session::phase::securing) break;
  }
  if (in_.size() < unread) {
    keep_alive_.on_data();
  } else {
    keep_alive_.on_part(received_);
  }
  received_ = 0;
  core_.in().release_ended();
  in_.shrink(largest_read_size * 2);
}

// Returns false when nothing more may be parsed, for now or for ever.
bool link::act(const proto::frame& f, proto::session::step step) {
  using step_kind = proto::session::step;
  switch (step) {
    case step_kind::deliver:
      core_.in().deliver(f);
      held_back_ = core_.in().reading_stopped() && ready_;  // the handshake ends before anybody may stop it
      return !held_back_;
    case step_kind::secure: break;  // by the handshake, which may wait
    case step_kind::send_connect: on_greeting(); break;
    case step_kind::restore:
      core_.in().registry().replay(replies_);
      proto::append_ping(replies_);
      session_.ping_sent();
      break;
    case step_kind::become_ready: become_ready(); break;
    case step_kind::answer_ping: owe_pong(); break;
    case step_kind::pong:
      core_.on_pong(session_.pongs());
      if (leaving_ && session_.pongs() >= last_ping_) close(leaving_);
      break;
    case step_kind::info_changed: core_.on_info(session_.info()); break;
    case step_kind::lame_duck: core_.on_lame_duck(session_.info()); break;
    case step_kind::report: core_.on_server_error(session_.error()); break;
    case step_kind::fail: close(session_.failure()); return false;
    case step_kind::none: break;
  }
  return true;
}

// Where the peer takes nothing, its pings must not fill memory: it gets so many answers and no more.
void link::owe_pong() {
  constexpr std::size_t most = 1024;
  if (!ready_) {
    proto::append_pong(replies_);
  } else if (owed_pongs_ < most) {
    ++owed_pongs_;
    core_.turns().schedule();
  }
}

void link::on_ping_interval() {
  if (!core_.in().reading_stopped() && keep_alive_.on_interval() == proto::keep_alive::verdict::dead) {
    close(errc::stale_connection);
    return;
  }
  if (!core_.in().reading_stopped()) send_ping();  // a PONG could not be seen
  core_.turns().set_deadline(ping_alarm_, proto::deadline_after(scheduler::now(), core_.options().ping_interval));
}

std::uint64_t link::send_ping() {
  proto::append_ping(core_.out().box().pending());
  core_.turns().schedule();
  return session_.ping_sent();
}

void link::leave(error_code reason) {
  if (!ready_ || leaving_) return;
  leaving_ = reason;
  last_ping_ = send_ping();
  core_.out().box().seal();
  core_.turns().set_deadline(leave_alarm_, proto::deadline_after(scheduler::now(), core_.options().connect_timeout));
}

void link::flush() {
  if (writing_ || closed_ || !ready_ || !replies_.empty()) return;
  auto& box = core_.out().box();
  for (; owed_pongs_ != 0; --owed_pongs_) proto::append_pong(box.pending());
  for (;;) {
    const std::string_view bytes = box.front();
    if (bytes.empty()) break;
    const io_result result = transport_->try_write(bytes);
    if (result.error) {
      close(result.error);
      return;
    }
    box.wrote(result.bytes);
    if (result.bytes < bytes.size()) {
      wait_for_writable(bytes.substr(result.bytes));
      break;
    }
  }
  core_.out().written();
}

void link::wait_for_writable(std::string_view bytes) {
  writing_ = true;
  core_.turns().set_deadline(write_alarm_, proto::deadline_after(scheduler::now(), core_.options().write_deadline));
  transport_->async_write_some(asio::buffer(bytes.data(), bytes.size()),
                               [self = shared_from_this()](io_result result) { self->on_written(result); });
}

void link::on_written(io_result result) {
  if (closed_) return;  // the connection may be gone
  writing_ = false;
  core_.turns().clear_deadline(write_alarm_);
  if (result.error) {
    close(result.error);
    return;
  }
  const scheduler::batch turn(core_.turns());
  core_.out().box().wrote(result.bytes);
  core_.out().written();
}

void link::close(error_code reason) noexcept {
  if (closed_) return;
  closed_ = true;
  ready_ = false;
  reason_ = reason;
  if (reason == errc::timeout && session_.current() == proto::session::phase::await_info)
    session_.on_transport_error(errc::timeout, "no INFO came; a server that expects TLS first waits for the client");
  core_.turns().clear_deadline(ping_alarm_);
  core_.turns().clear_deadline(write_alarm_);
  core_.turns().clear_deadline(leave_alarm_);
  resume_reading();
  transport_->close();
}

}  // namespace compass_fabric::client
