// SPDX-License-Identifier: Apache-2.0
// The event fabric: references to changed rows, published once, stored by one stream, each claimed by exactly one of
// the processes that subscribe, retried, and parked on the dead-letter subject when nothing helps.
//
//   event_fabric fabric(nc);
//   co_await fabric.provision();
//   auto sub = fabric.subscribe_kind(event_kind::message_posted, [&](const event& e) { refresh(e.ref); });
//   co_await sub.ready();
//   co_await fabric.publish(ref);
#pragma once

#include <compass_fabric/connection.hpp>
#include <compass_fabric/fabric/config.hpp>
#include <compass_fabric/fabric/event.hpp>
#include <compass_fabric/fabric/event_subscription.hpp>
#include <compass_fabric/fabric/fabric_event.hpp>
#include <compass_fabric/fabric/subject.hpp>
#include <compass_fabric/jetstream/context.hpp>
#include <compass_fabric/jetstream/info.hpp>
#include <compass_fabric/jetstream/publisher.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace compass_fabric::fabric {

struct fabric_state;

/// What `provision` found or did.
struct provision_report {
  /// The stream as it is now.
  jetstream::stream_info stream;
  /// True when three replicas were wanted and could not be had.
  bool fell_back = false;
};

/// The fabric on one connection; copies are cheap and equal.
///
/// Delivery is at least once: a handler must tolerate the same reference again, which reading the row gives for free.
/// Threads: as the connection. Lifetime: holds the connection; subscriptions may outlive it.
class event_fabric {
 public:
  /// Errors: throws `invalid_config`.
  explicit event_fabric(connection nc, const config& settings = {}, fabric_event_handler on_event = {});

  /// Makes or checks the stream. Safe to run in every process at once: they converge.
  ///
  /// Cancellation: any type ends the wait only.
  /// Errors: `topology_mismatch` with every difference named (verify); JetStream's and the client's.
  boost::asio::awaitable<provision_report> provision(topology_mode mode = topology_mode::apply);

  /// Stores `ref` in the stream and waits for the acknowledgement; a duplicate is a success. The subject and the
  /// message id follow from the reference, so a retry after a lost ack stores nothing twice within the duplicate
  /// window.
  ///
  /// Cancellation: any type; the event may be stored. Lifetime: `ref` must live until it completes.
  /// Errors: those of `check(ref)` before anything is sent; those of `jetstream::context::publish`.
  boost::asio::awaitable<jetstream::publish_ack> publish(const event_ref& ref);
  boost::asio::awaitable<jetstream::publish_ack> publish(event_ref&&) = delete;  // name it first: g++ 12

  /// Stores many references with up to `window` acknowledgements outstanding; one outcome for each, in their order,
  /// with its index as tag. An invalid reference is refused alone, its outcome says why; nothing of it is sent.
  ///
  /// Cancellation: any type; those sent may be stored. Lifetime: `refs` must live until it completes.
  /// Errors: thrown when the connection takes no publish at all.
  boost::asio::awaitable<std::vector<jetstream::publish_outcome>> publish_all(std::span<const event_ref> refs,
                                                                              std::size_t window = 1000);

  /// Subscribes to one kind of one tenant. A durable consumer, shared by every process that subscribes to the same,
  /// hands each event to exactly one of them and remembers where they are. Returns at once; `ready` tells when it runs.
  /// Errors: throws `invalid_token`, `unknown_kind`, `invalid_config` (options) before anything is sent.
  event_subscription subscribe(std::string_view tenant, event_kind kind, handler h,
                               const delivery_options& options = {});
  /// Subscribes to one kind of every tenant, those to come included, as a consumer of its own: an event that a concrete
  /// subscription matches too is delivered to both. Errors: throws `unknown_kind`, `invalid_config`.
  event_subscription subscribe_kind(event_kind kind, handler h, const delivery_options& options = {});

  /// The subjects of concrete consumers of `kind` that exist: to be retired when `subscribe_kind` takes over.
  /// Cancellation: any type ends the wait only. Errors: JetStream's and the client's.
  boost::asio::awaitable<std::vector<std::string>> concrete_consumers(event_kind kind);

  const config& settings() const noexcept;
  boost::asio::any_io_executor get_executor() const noexcept;

 private:
  std::shared_ptr<const fabric_state> state_;
};

}  // namespace compass_fabric::fabric
