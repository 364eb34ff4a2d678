// SPDX-License-Identifier: Apache-2.0
// What the tests of logging in share.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <compass_fabric/testing/temp_dir.hpp>
#include "fixture.hpp"
#include "support/operator_mode.hpp"

namespace compass_fabric::testing {

/// Connects and flushes: the server has accepted the login.
inline asio::awaitable<void> check_login(connect_options options) {
  connection nc = co_await connect(options);
  co_await nc.flush(10s);
  CHECK(nc.state() == connection_state::connected);
}

/// Ann with a clear password, Bob with a hashed one (both s3cret), and a key.
inline std::string users_config(const nkey& key) {
  return R"(authorization { users: [
    { user: ann, password: s3cret }
    { user: bob, password: "$2b$04$abcdefghijklmnopqrstuuLZYjhNQAOdpbzt4WxWlUHjv1wsyH5DG" }
    { nkey: )" +
         key.public_key() + " }\n] }\n";
}

}  // namespace compass_fabric::testing
