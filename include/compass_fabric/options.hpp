// SPDX-License-Identifier: Apache-2.0
// What a connection can be told: servers, credentials, deadlines, limits and reconnect pacing. Plain data; every member
// has a working default.
//
//   connect_options options;
//   options.servers = {"nats://a:4222", "nats://b:4222"};
//   connection nc = co_await connect(options);
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <compass_fabric/connection_event.hpp>
#include <compass_fabric/credentials.hpp>
#include <compass_fabric/dial_options.hpp>
#include <compass_fabric/proxy_options.hpp>
#include <compass_fabric/secret.hpp>
#include <compass_fabric/tls_options.hpp>
#include <compass_fabric/transport.hpp>
#include <compass_fabric/websocket_options.hpp>

namespace compass_fabric {

/// A server that a connection may use.
struct known_server {
  /// `host:port`, an IPv6 address in brackets.
  std::string address;
  /// Learned from a server instead of given by the user.
  bool announced = false;
  /// Failed attempts since a link to it last held; one that broke within a second counts as failed.
  int failed_attempts = 0;
};

class instrumentation;

/// What publishing does while there is no link.
enum class offline_policy {
  /// Publishes wait for the next link, up to `reconnect_buffer` bytes; beyond it publishing fails with `outbox_full`.
  buffer,
  /// Publishing fails with `connection_lost`. What was published before the loss and not written is still sent later.
  fail,
  /// As `buffer`, but beyond it the oldest waiting publishes are dropped, counted and reported (`publish_dropped`).
  drop_oldest,
};

/// How a lost link is replaced.
struct reconnect_options {
  /// False: the first loss closes the connection.
  bool enabled = true;
  /// Attempts per server before it leaves the pool; negative = for ever. An empty pool closes the connection.
  int max_attempts = -1;
  /// Pause after the first full pass over the pool; it doubles with each further pass. The first pass starts at once.
  std::chrono::milliseconds initial_delay{100};
  /// Upper bound of the pause.
  std::chrono::milliseconds max_delay{2000};
  /// A random 0..jitter is added to each pause, so that many clients do not return in the same instant.
  std::chrono::milliseconds jitter{100};
  /// False: a server that refuses the credentials in the same way twice in a row leaves the pool. True: it is tried on
  /// like any other, with the pauses above.
  bool retry_refused_credentials = false;
  /// Decides on the pauses instead of the three durations: called with the number of full passes over the pool (1, 2,
  /// ...) since the last success. Negative counts as zero.
  std::function<std::chrono::milliseconds(int passes)> backoff;
  /// True: a server that announces its shutdown (lame duck) is left within `jitter` when another one is known: what was
  /// published is confirmed by it, then the link moves. False: the link stays until it is cut.
  bool leave_lame_duck = true;
};

/// Everything `connect` needs. Durations must not be negative; zero means "at once" for pauses and is refused for
/// deadlines (errc::invalid_option).
struct connect_options {
  /// Addresses as `nats://[user:password@]host[:port]` or `host[:port]`, with tls:// for an encrypted link, or as
  /// `ws://host[:port][/path]` and `wss://...` for one over WebSocket; tried in this order.
  std::vector<std::string> servers{"nats://127.0.0.1:4222"};
  /// True: the servers are tried in random order, announced ones too.
  bool randomize_servers = false;
  /// Decides on every random choice of this connection (order, jitter); 0 = the system's random source.
  std::uint64_t random_seed = 0;
  /// False: addresses that servers announce are ignored, as behind an address translation.
  bool use_announced_servers = true;
  /// Decides on each announced `host:port`; empty = all are taken.
  std::function<bool(const std::string& address)> accept_announced;
  /// Chooses the server of the next attempt among the known ones, in the order they would be tried, by its address;
  /// empty or unknown = the first. A server chosen again in the same pass begins the next one, with its pause.
  std::function<std::string(const std::vector<known_server>& servers)> choose_server;
  /// Shown in the server's monitoring.
  std::string name;
  /// Name and password or token; those inside a server address win over these. Announced servers get what the server
  /// that announced them got.
  std::string user;
  secret password;
  secret token;
  /// Any other way to log in, added to the above; files are read at every attempt, blocking for so long.
  credentials auth;
  /// Asked at every attempt for what to add to the above; at most one of the two.
  auth_function auth_callback;
  async_auth_function async_auth_callback;
  /// False: the server never returns this connection's own publishes to it.
  bool echo = true;

  /// When and how links are encrypted.
  tls_options tls;
  /// How TCP connections are made.
  dial_options dial;
  /// How WebSocket links are opened.
  websocket_options websocket;
  /// The way through a proxy.
  proxy_options proxy;
  /// Makes the streams to servers instead of TCP; excludes `proxy`.
  stream_factory make_stream;

  /// One deadline over resolve, connect, INFO, CONNECT and the first PONG of one attempt.
  std::chrono::milliseconds connect_timeout{2000};
  /// True: `connect` keeps trying by the reconnect rules until a server answers. False: one pass over the servers.
  bool retry_on_initial_connect = false;
  reconnect_options reconnect;

  /// Time without received bytes after which a PING is sent.
  std::chrono::milliseconds ping_interval{120000};
  /// PINGs that may stay unanswered; one more interval ends the link as stale.
  int max_pings_outstanding = 2;
  /// A write that makes no progress for this long ends the link.
  std::chrono::milliseconds write_deadline{10000};

  /// `publish` suspends while more than this many bytes wait to be written, and after so many within one turn of the
  /// executor, so that an endless publisher lets others run.
  std::size_t outbox_high_water = 256 * 1024;
  /// `try_publish` reports `outbox_full` beyond this many bytes; one message always fits into an empty outbox.
  std::size_t outbox_limit = 1024 * 1024;
  /// Bytes of publishes kept while disconnected, written in order after the next connect. Zero: publishing while
  /// disconnected fails with `connection_lost`.
  std::size_t reconnect_buffer = 8 * 1024 * 1024;
  /// What happens to publishes while disconnected.
  offline_policy when_disconnected = offline_policy::buffer;

  /// True: requests waiting when the link drops end at once with `connection_lost`. False: they wait for their timeout.
  bool fail_requests_on_disconnect = true;
  /// First tokens of every reply subject; must be a valid publish subject.
  std::string inbox_prefix = "_INBOX";

  /// True: `connection::request_latency` and `write_latency` are kept; costs a clock reading per request and publish.
  bool measure_latency = false;
  /// Where logs, traces and durations go; null = nowhere, at no cost. See instrumentation.hpp.
  std::shared_ptr<instrumentation> hooks;

  /// Called with every event, on the connection's executor. Exceptions it throws are not caught.
  event_handler on_event;
};

/// What a subscription does with a message that does not fit its limits.
enum class limit_policy {
  /// The new message is dropped and counted.
  drop_newest,
  /// The oldest waiting message is dropped and counted.
  drop_oldest,
  /// Nothing is dropped: the connection stops reading its socket until half of the limit is free again. Everything else
  /// on the connection waits meanwhile: other subscriptions, replies, `flush`. The server buffers for it, and cuts a
  /// connection that stays behind for too long (its `write_deadline` and `max_pending`, or unanswered PINGs of its
  /// own);
  /// this side does not count the silence as a dead link.
  stop_reading,
};

/// Options of one subscription.
struct subscribe_options {
  /// Members of one queue group share the messages; empty = every subscription gets every message.
  std::string queue;
  /// Ends by itself after this many messages; 0 = never.
  std::uint64_t max_messages = 0;
  /// Messages and bytes that may wait for `next` or for a coroutine handler; 0 = no limit. Plain handlers do not queue
  /// and have no limit.
  std::size_t pending_messages_limit = 65536;
  std::size_t pending_bytes_limit = 64 * 1024 * 1024;
  limit_policy at_limit = limit_policy::drop_newest;
  /// Limits of time; 0 = none. The subscription ends with `errc::timeout` when the first message takes longer than
  /// `first_timeout` from its start, a later one longer than `idle_timeout` from the one before (where `first_timeout`
  /// is 0, also the first), or the whole longer than `total_timeout`. They run on while the link is down.
  std::chrono::milliseconds first_timeout{0};
  std::chrono::milliseconds idle_timeout{0};
  std::chrono::milliseconds total_timeout{0};
  /// How many messages a coroutine handler may work on at a time. 1 keeps their order, also while it is suspended.
  std::size_t max_concurrency = 1;
};

}  // namespace compass_fabric
