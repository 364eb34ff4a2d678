// SPDX-License-Identifier: Apache-2.0
#include <compass_fabric/connection.hpp>

#include <fmt/format.h>
#include <boost/asio/this_coro.hpp>

#include "client/connection_core.hpp"
#include "client/event_queue.hpp"
#include "client/option_check.hpp"
#include "client/publish_error.hpp"
#include "proto/subject.hpp"

namespace compass_fabric {

namespace asio = boost::asio;
using client::connection_core;
using client::scheduler;

struct connection::guard {
  explicit guard(std::shared_ptr<connection_core> c) noexcept : core(std::move(c)) {}
  guard(const guard&) = delete;
  guard& operator=(const guard&) = delete;
  ~guard() { core->release(); }
  const std::shared_ptr<connection_core> core;
};

namespace {

void check_interest(std::string_view subject, const subscribe_options& options) {
  const auto fault = proto::filter_fault(subject);
  if (!fault.empty()) throw_error(errc::invalid_subject, fmt::format("subscribe to {:?}: {}", subject, fault));
  if (options.queue.empty()) return;
  const auto queue_fault = proto::queue_name_fault(options.queue);
  if (!queue_fault.empty())
    throw_error(errc::invalid_queue_name, fmt::format("queue {:?} of {:?}: {}", options.queue, subject, queue_fault));
}

void check_option(bool holds, std::string_view subject, std::string_view rule) {
  if (!holds) throw_error(errc::invalid_option, fmt::format("subscribe to {:?}: {}", subject, rule));
}

void check_subscribe(std::string_view subject, const subscribe_options& o) {
  check_interest(subject, o);
  check_option(o.first_timeout.count() >= 0, subject, "first_timeout must not be negative");
  check_option(o.idle_timeout.count() >= 0, subject, "idle_timeout must not be negative");
  check_option(o.total_timeout.count() >= 0, subject, "total_timeout must not be negative");
  check_option(o.max_concurrency > 0, subject, "max_concurrency must be at least 1");
  check_option(o.at_limit != limit_policy::stop_reading || o.pending_messages_limit != 0 || o.pending_bytes_limit != 0,
               subject, "stop_reading needs a limit");
}

// Handlers are wrapped where somebody watches, so that the others pay nothing.
message_handler observed(const connection_core& core, message_handler handler) {
  const auto hooks = core.watched().hooks();
  if (!hooks || !handler) return handler;
  return [hooks, h = std::move(handler)](const message_view& m) {
    client::observed_operation op(hooks, client::processing(m));
    h(m);
    op.end({});
  };
}

asio::awaitable<void> process(std::shared_ptr<instrumentation> hooks, std::shared_ptr<coroutine_handler> handler,
                              message m) {
  const message original = m.clone();  // the handler may do with its message what it likes
  client::observed_operation op(hooks, client::processing(original.view()));
  auto handling = (*handler)(std::move(m));
  co_await std::move(handling);
  op.end({});
}

coroutine_handler observed(const connection_core& core, coroutine_handler handler) {
  const auto hooks = core.watched().hooks();
  if (!hooks) return handler;
  auto shared = std::make_shared<coroutine_handler>(std::move(handler));
  return [hooks, shared](message m) { return process(hooks, shared, std::move(m)); };
}

template <class Handler>
subscription make_subscription(const std::shared_ptr<connection_core>& core, std::string_view subject, Handler handler,
                               const subscribe_options& options) {
  check_subscribe(subject, options);
  auto state =
      std::make_shared<client::subscription_state>(core, subject, observed(*core, std::move(handler)), options);
  if (const auto ec = core->subscribe(*state)) throw_error(ec, fmt::format("subscribe to {:?}", subject));
  return subscription(std::move(state));
}

// There is room: the message may pass the limit of try_publish, for the outbox stays below the mark plus one message.
inline void publish_now(connection_core& core, std::string_view subject, std::string_view payload,
                        publish_options& options) {
  options.beyond_limit |= core.out().connected();
  if (const auto ec = core.out().publish(subject, payload, options))
    client::throw_publish_error(ec, core, subject, payload, options);
}

// What a handle starts goes on without it, also when the handle goes before the operation has begun: hence functions of
// their own, which own the core instead of referring to the handle.
asio::awaitable<void> publish_on(std::shared_ptr<connection_core> core, std::string_view subject,
                                 std::string_view payload, publish_options options) {
  if (core->out().over_high_water()) co_await core->out().wait_for_room(subject);
  publish_now(*core, subject, payload, options);
}

asio::awaitable<void> respond_on(std::shared_ptr<connection_core> core, message_view request, std::string_view payload,
                                 publish_options options) {
  if (request.reply.empty()) throw_error(errc::no_reply_subject, fmt::format("respond on {:?}", request.subject));
  co_await publish_on(core, request.reply, payload, options);
}

asio::awaitable<void> flush_on(std::shared_ptr<connection_core> core, std::chrono::milliseconds timeout) {
  co_await core->flush(proto::deadline_after(scheduler::now(), timeout));
}

asio::awaitable<std::chrono::nanoseconds> measure_rtt(std::shared_ptr<connection_core> core,
                                                      std::chrono::milliseconds timeout) {
  const auto start = scheduler::now();
  co_await core->flush(proto::deadline_after(start, timeout));
  co_return scheduler::now() - start;
}

asio::awaitable<void> barrier_on(std::shared_ptr<connection_core> core, std::chrono::milliseconds timeout) {
  co_await core->barrier(proto::deadline_after(scheduler::now(), timeout));
}

asio::awaitable<void> drain_all(std::shared_ptr<connection_core> core, std::chrono::milliseconds timeout) {
  co_await core->drain(timeout);
}

asio::awaitable<error_code> end_of(std::shared_ptr<connection_core> core) { co_return co_await core->closed(); }

}  // namespace

connection::connection(std::shared_ptr<connection_core> core) : guard_(std::make_shared<guard>(std::move(core))) {}

asio::awaitable<void> connection::publish(std::string_view subject, std::string_view payload, publish_options options) {
  return publish_on(guard_->core, subject, payload, options);
}

error_code connection::try_publish(std::string_view subject, std::string_view payload, const publish_options& options) {
  return guard_->core->out().publish(subject, payload, options);
}

subscription connection::subscribe(std::string_view subject, const subscribe_options& options) {
  return subscribe(subject, message_handler(), options);
}

subscription connection::subscribe(std::string_view subject, message_handler handler,
                                   const subscribe_options& options) {
  return make_subscription(guard_->core, subject, std::move(handler), options);
}

subscription connection::subscribe(std::string_view subject, coroutine_handler handler,
                                   const subscribe_options& options) {
  return make_subscription(guard_->core, subject, std::move(handler), options);
}

asio::awaitable<message> connection::request(std::string_view subject, std::string_view payload,
                                             request_options options) {
  return guard_->core->requests().request(subject, payload, options, guard_->core);
}

asio::awaitable<std::vector<message>> connection::request_many(std::string_view subject, std::string_view payload,
                                                               request_many_options options) {
  return guard_->core->requests().request_many(subject, payload, std::move(options), guard_->core);
}

asio::awaitable<void> connection::respond(message_view request, std::string_view payload, publish_options options) {
  return respond_on(guard_->core, request, payload, options);
}

error_code connection::try_respond(const message_view& request, std::string_view payload,
                                   const publish_options& options) {
  if (request.reply.empty()) return errc::no_reply_subject;
  return try_publish(request.reply, payload, options);
}

asio::awaitable<void> connection::flush(std::chrono::milliseconds timeout) { return flush_on(guard_->core, timeout); }

asio::awaitable<std::chrono::nanoseconds> connection::rtt(std::chrono::milliseconds timeout) {
  return measure_rtt(guard_->core, timeout);
}

asio::awaitable<void> connection::barrier(std::chrono::milliseconds timeout) {
  return barrier_on(guard_->core, timeout);
}

asio::awaitable<void> connection::drain(std::chrono::milliseconds timeout) { return drain_all(guard_->core, timeout); }

void connection::close() noexcept { guard_->core->close({}); }

asio::awaitable<error_code> connection::closed() { return end_of(guard_->core); }

std::string connection::new_inbox() { return guard_->core->new_inbox(); }

event_registration connection::on_event(event_handler handler) {
  return guard_->core->events().add(std::move(handler));
}

event_stream connection::events(std::size_t limit) {
  auto queue = std::make_shared<client::event_queue>(guard_->core, limit);
  queue->start();
  return event_stream(std::move(queue));
}

std::vector<known_server> connection::servers() const { return guard_->core->servers(); }
void connection::set_servers(const std::vector<std::string>& addresses) { guard_->core->set_servers(addresses); }
void connection::reconnect() { guard_->core->reconnect(); }

connection_state connection::state() const noexcept { return guard_->core->state(); }
connection_stats connection::stats() const noexcept { return guard_->core->stats(); }
const latency_histogram& connection::request_latency() const noexcept {
  return guard_->core->watched().request_latency();
}
const latency_histogram& connection::write_latency() const noexcept { return guard_->core->watched().write_latency(); }
const server_info& connection::info() const noexcept { return guard_->core->info(); }
asio::any_io_executor connection::get_executor() const noexcept { return guard_->core->turns().executor(); }

asio::awaitable<connection> connect(const connect_options& options) {
  const auto executor = co_await asio::this_coro::executor;
  const auto core = std::make_shared<connection_core>(executor, options);
  connection handle(core);
  core->start();
  co_await core->wait_connected();
  co_return handle;
}

asio::awaitable<connection> connect(std::string_view servers) {
  connect_options options;
  options.servers = client::split_servers(servers);
  co_return co_await connect(options);
}

}  // namespace compass_fabric
