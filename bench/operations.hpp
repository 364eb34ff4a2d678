// SPDX-License-Identifier: Apache-2.0
// The measured operations, one file each. Every one connects by itself, checks what it did and throws when that fails.
#pragma once

#include "bench_support.hpp"

namespace compass_fabric::bench {

/// `msgs` publishes, until the server has confirmed them. Styles: `default` awaits `publish`; `sync` calls
/// `try_publish` and waits only when the outbox is full.
asio::awaitable<result> run_pub(const arguments& args);
/// From the first to the last of `msgs` messages. Styles: `default` and `pull` await `next`; `view` gets views in a
/// handler; `owned` makes a message of each view.
asio::awaitable<result> run_sub(const arguments& args);
/// `msgs` requests, `inflight` of them at a time, each awaited by a coroutine.
asio::awaitable<result> run_req(const arguments& args);
/// `msgs` acknowledged publishes into a stream, at most `window` without an ack.
asio::awaitable<result> run_jspub(const arguments& args);
/// `msgs` messages pulled and acked. Styles: `fetch` asks for one batch at a time; `consume` lets the library pull
/// ahead.
asio::awaitable<result> run_jspull(const arguments& args);
/// Memory of `conns` idle connections.
asio::awaitable<result> run_idle(const arguments& args);
/// Time and memory of `subs` subscriptions. Styles: `default` with a handler; `pull` without.
asio::awaitable<result> run_subs(const arguments& args);

}  // namespace compass_fabric::bench
