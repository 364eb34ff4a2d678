// SPDX-License-Identifier: Apache-2.0
// The commands of fabricctl: each runs in a session and returns the exit status. What they throw is printed as one line
// and means status 1.
#pragma once

#include "arguments.hpp"
#include "session.hpp"

#include <boost/asio/awaitable.hpp>

namespace fabricctl {

boost::asio::awaitable<int> run(session& s, const pub_arguments& a);
boost::asio::awaitable<int> run(session& s, const sub_arguments& a);
boost::asio::awaitable<int> run(session& s, const request_arguments& a);
boost::asio::awaitable<int> run(session& s, const reply_arguments& a);
boost::asio::awaitable<int> run(session& s, const provision_arguments& a);
boost::asio::awaitable<int> run(session& s, const publish_arguments& a);
boost::asio::awaitable<int> run(session& s, const consume_arguments& a);
boost::asio::awaitable<int> run(session& s, const dlq_arguments& a);
boost::asio::awaitable<int> run(session& s, const server_arguments& a);
boost::asio::awaitable<int> run(session& s, const streams_arguments& a);
boost::asio::awaitable<int> run(session& s, const consumers_arguments& a);

}  // namespace fabricctl
